"""Which commands are in a table's log."""
from __future__ import annotations

from array import array

FIRST_BYTES = 16


class Known:
    """
    The names of commands, in ten bytes each: by their hashes, and a bit for each in a field that tells at once of most that are not there.

    It may say of one in 2**64 that it is there when it is not, and never the other way round.
    """

    __slots__ = ("_field", "_hashes")

    def __init__(self) -> None:
        self._hashes = array("q")
        self._field = bytearray(FIRST_BYTES)

    def add(self, name: str) -> None:
        """Add a name."""
        value = hash(name)
        self._hashes.append(value)
        field = self._field
        if len(self._hashes) > len(field):
            self._field = field = bytearray(2 * len(field))
            for each in self._hashes:
                field[each >> 3 & len(field) - 1] |= 1 << (each & 7)
        else:
            field[value >> 3 & len(field) - 1] |= 1 << (value & 7)

    def __contains__(self, name: str) -> bool:
        value, field = hash(name), self._field
        return bool(field[value >> 3 & len(field) - 1] >> (value & 7) & 1) and value in self._hashes
