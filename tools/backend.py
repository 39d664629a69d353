"""
The build backend: setuptools, with the browser client built first so that wheels and sdists carry it.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from setuptools import build_meta
from setuptools.build_meta import (
    build_editable,
    get_requires_for_build_editable,
    prepare_metadata_for_build_editable,
    prepare_metadata_for_build_wheel,
)

import webclient

__all__ = [
    "build_editable",
    "build_sdist",
    "build_wheel",
    "get_requires_for_build_editable",
    "get_requires_for_build_sdist",
    "get_requires_for_build_wheel",
    "prepare_metadata_for_build_editable",
    "prepare_metadata_for_build_wheel",
]

Settings = dict[str, Any] | None


def _node() -> list[str]:
    """
    Ask for Node from PyPI when the client has to be built and the machine has none; an sdist carries the built client.
    """
    if webclient.is_current() or webclient.system_npm():
        return []
    lock = (Path(__file__).parent.parent / "requirements/node.txt").read_text()
    return [line.split()[0] for line in lock.splitlines() if "==" in line]


def get_requires_for_build_wheel(config_settings: Settings = None) -> list[str]:
    """
    Name what building a wheel needs beside pyproject.toml's build requirements.
    """
    return [*build_meta.get_requires_for_build_wheel(config_settings), *_node()]


def get_requires_for_build_sdist(config_settings: Settings = None) -> list[str]:
    """
    Name what building an sdist needs beside pyproject.toml's build requirements.
    """
    return [*build_meta.get_requires_for_build_sdist(config_settings), *_node()]


def build_wheel(wheel_directory: str, config_settings: Settings = None, metadata_directory: str | None = None) -> str:
    """
    Build a wheel with the client in it.
    """
    webclient.build()
    return str(build_meta.build_wheel(wheel_directory, config_settings, metadata_directory))


def build_sdist(sdist_directory: str, config_settings: Settings = None) -> str:
    """
    Build an sdist with the client in it, both as source and built.
    """
    webclient.build()
    return str(build_meta.build_sdist(sdist_directory, config_settings))
