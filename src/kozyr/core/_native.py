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


def mypyc_attr(**attrs: bool) -> Any:
    """
    Stand in for mypyc's class decorator, which means nothing to the interpreter.
    """
    return lambda cls: cls
