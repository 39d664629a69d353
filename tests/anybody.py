"""The rights of somebody who is not root, also where tests run as root: permissions of files hold."""

from __future__ import annotations

import ctypes
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager

PASSES_PERMISSIONS = 1 << 1 | 1 << 2
"""What Linux calls CAP_DAC_OVERRIDE and CAP_DAC_READ_SEARCH."""
VERSION, DROP = 0x20080522, 24


class Head(ctypes.Structure):
    _fields_ = (("version", ctypes.c_uint32), ("pid", ctypes.c_int))


class Rights(ctypes.Structure):
    _fields_ = (("effective", ctypes.c_uint32), ("permitted", ctypes.c_uint32), ("inheritable", ctypes.c_uint32))


def may_be_obeyed() -> bool:
    """Whether permissions hold here, or can be made to."""
    return sys.platform == "linux" or (os.name == "posix" and os.geteuid() != 0)


@contextmanager
def as_anybody() -> Iterator[None]:
    """Let permissions hold for this thread."""
    if os.geteuid() != 0:
        yield
        return
    libc, head, rights = ctypes.CDLL(None, use_errno=True), Head(VERSION, 0), (Rights * 2)()
    assert 0 == libc.capget(ctypes.byref(head), rights)
    before = rights[0].effective
    rights[0].effective = before & ~PASSES_PERMISSIONS
    assert 0 == libc.capset(ctypes.byref(head), rights)
    try:
        yield
    finally:
        rights[0].effective = before
        assert 0 == libc.capset(ctypes.byref(head), rights)


def become_anybody() -> None:
    """Let permissions hold for the program that this process is about to become; for `preexec_fn`."""
    if os.geteuid() == 0:
        libc = ctypes.CDLL(None, use_errno=True)
        for right in (1, 2):
            assert 0 == libc.prctl(DROP, right, 0, 0, 0)
