"""What compiled code takes from librt and mypy_extensions, for the interpreted form; the compiler reads _native.pyi instead."""

from __future__ import annotations

from typing import Any

i64 = int


class vec:
    """
    Stand in for librt's packed array: ``vec[i64](items)`` is a list when nothing is compiled.
    """

    def __class_getitem__(cls, item: Any) -> type[list[Any]]:
        return list


class BytesWriter:
    """
    Stand in for librt's growing bytes.
    """

    __slots__ = ("_written",)

    def __init__(self) -> None:
        self._written = bytearray()

    def getvalue(self) -> bytes:
        """
        Return what has been written.
        """
        return bytes(self._written)

    def write(self, more: bytes) -> None:
        """
        Add bytes.
        """
        self._written += more


def write_i64_le(to: BytesWriter, number: int) -> None:
    """
    Add a number in eight bytes, the lowest first.
    """
    to.write(number.to_bytes(8, "little", signed=True))


def mypyc_attr(**attrs: bool) -> Any:
    """
    Stand in for mypyc's class decorator, which means nothing to the interpreter.
    """
    return lambda cls: cls
