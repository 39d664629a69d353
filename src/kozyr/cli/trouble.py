"""What goes wrong because of what somebody asked for: one line on stderr, never a traceback."""
from __future__ import annotations


class Trouble(Exception):
    """Bad input; the text is one sentence for the person at the keyboard."""
