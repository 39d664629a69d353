"""Lines of the log: for reading, as JSON or as logfmt; each with what it is about, by name."""
from __future__ import annotations

import json
import logging
import time

from kozyr.cli.trouble import visible
from kozyr.web.guard import REQUEST

OWN = frozenset(vars(logging.makeLogRecord({}))) | {"message", "asctime", "taskName"}
"""What every record has; the rest is what a line is about."""


AGAIN_S = 10
"""For so long the trace of an error is not written again, but the error's name alone: what fails may fail a thousand times a second."""


class Lines(logging.Formatter):
    """
    Writes records in one of three forms.

    Whatever a line is about (`table`, `seq`, `status` …) is a field of its own, and so are the request that it belongs to and the process.
    """

    def __init__(self, form: str, process: str = "") -> None:
        super().__init__()
        self._form = form
        self._process = process
        self._traced: dict[str, float] = {}

    def format(self, record: logging.LogRecord) -> str:
        """Write a record as one line; as text, an error's trace stands below it."""
        error = record.exc_info[1] if record.exc_info else None
        trace, about = "", self.about(record)
        if error is not None and record.exc_info:
            name = f"{type(error).__name__}: {error}"
            if self._is_new(f"{record.name} {record.msg} {name}", record.created):
                trace = self.formatException(record.exc_info)
            else:
                about["error"] = name
        if self._form == "text":
            fields = "".join(f" {name}={quoted(value)}" for name, value in about.items())
            line = f"{moment(record.created)} {record.levelname:7} {visible(record.getMessage())}{fields}"
            return f"{line}\n{trace}" if trace else line
        fields_of_line = {
            "at": moment(record.created),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
            **about,
            **({"trace": trace} if trace else {}),
        }
        if self._form == "json":
            return json.dumps(fields_of_line, default=str)
        return " ".join(f"{name}={quoted(value)}" for name, value in fields_of_line.items())

    def _is_new(self, failure: str, now: float) -> bool:
        """Whether a failure has not been told with its trace just before."""
        self._traced = {other: at for other, at in self._traced.items() if now - at < AGAIN_S}
        return self._traced.setdefault(failure, now) == now

    def about(self, record: logging.LogRecord) -> dict[str, object]:
        """Collect what a line is about."""
        fields = {name: value for name, value in vars(record).items() if name not in OWN}
        request = REQUEST.get()
        return {**fields, **({"request": request} if request else {}), **({"process": self._process} if self._process else {})}


def quoted(value: object) -> str:
    """Write a value as logfmt does: in quotes where it has blanks, quotes, or letters that would end the line."""
    text = str(value)
    is_plain = text.isprintable() and text != "" and not any(letter in text for letter in ' "=')
    return text if is_plain else json.dumps(text, ensure_ascii=not text.isprintable())


def moment(seconds: float) -> str:
    """Write a moment, to the millisecond, in UTC."""
    return time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(seconds)) + f".{int(seconds * 1000) % 1000:03}Z"


def start(form: str, level: str, process: str = "") -> None:
    """Log to standard error, from this level on."""
    handler = logging.StreamHandler()
    handler.setFormatter(Lines(form, process))
    logging.basicConfig(level=level.upper(), handlers=[handler], force=True)
    # The HTTP library and the loop have news only for who works on them.
    for name in ("asyncio", "aiohttp"):
        logging.getLogger(name).setLevel(logging.WARNING)
