"""The rules of Durak: pure, with no input or output, no clock and no chance of its own."""
from __future__ import annotations

from typing import Final

from kozyr.core import position as _position

FORM: Final = "interpreted" if (_position.__file__ or "").endswith(".py") else "compiled"
"""Which form of the engine runs: `compiled` or `interpreted`."""
