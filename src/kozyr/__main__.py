"""`python -m kozyr` is the command `kozyr`."""
from __future__ import annotations

import sys

from kozyr.cli import main

if __name__ == "__main__":
    sys.exit(main())
