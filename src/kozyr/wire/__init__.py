"""The messages between client and server: typed, versioned, numbered. Nothing of the game's rules is known here."""
from __future__ import annotations

VERSION = 1
"""The protocol's version; a client says the one that it speaks in its first message."""
