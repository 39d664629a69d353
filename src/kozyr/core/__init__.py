"""The rules of Durak: pure, with no input or output, no clock and no chance of its own."""
from __future__ import annotations

from importlib.util import find_spec
from typing import Final

# Not by importing it: a package that imports its modules makes one cycle of them, and the compiler needs base classes first.
_spec = find_spec("kozyr.core.position")

FORM: Final = "interpreted" if _spec is None or _spec.origin is None or _spec.origin.endswith(".py") else "compiled"
"""Which form of the engine runs: `compiled` or `interpreted`."""
