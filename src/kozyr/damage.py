"""What comes with the package and cannot be used."""
from __future__ import annotations

from importlib.resources import files


class Damaged(Exception):
    """Something of the installation is missing or broken: a file of weights or rates, or a library; the text is one sentence."""


def read_data(package: str, name: str) -> tuple[str, bytes]:
    """
    Read a file that comes with a package; return where it is and what is in it.

    Raises: Damaged that names the file.
    """
    file = files(package).joinpath(name)
    try:
        return str(file), file.read_bytes()
    except OSError as error:
        raise Damaged(f"{file} cannot be read: {error.strerror}") from None
