"""What goes wrong because of what somebody asked for: one line on stderr, never a traceback."""
from __future__ import annotations


class Trouble(Exception):
    """Bad input; the text is one sentence for the person at the keyboard."""


LINE_MAX = 600
"""So long is a line that says what went wrong, whatever is repeated in it."""


def visible(text: str) -> str:
    """Write a text without what would end the line, or write on the operator's screen; strangers choose what is in it."""
    return "".join(letter if letter.isprintable() else letter.encode("unicode_escape").decode() for letter in text)


def line_of(error: Exception) -> str:
    """Say what went wrong in one line; of what is too long the middle is left out."""
    said = str(error)
    if isinstance(error, OSError) and error.strerror:
        said = error.strerror if error.filename is None else f"{error.filename}: {error.strerror}"
    text = visible(said)
    return text if len(text) <= LINE_MAX else f"{text[: LINE_MAX // 2]} … {text[-LINE_MAX // 2 + 3 :]}"
