"""The client's files: read once, compressed, with tags, and cached for ever where their names are hashes."""
from __future__ import annotations

import gzip
import hashlib
import mimetypes
import re
from dataclasses import dataclass
from pathlib import Path

from aiohttp import web

COMPRESSED = {".js", ".css", ".html", ".svg", ".json", ".webmanifest", ".txt", ".map"}
ENCODINGS = (("br", ".br"), ("gzip", ".gz"))
"""Encodings in the order of liking, and how a file that was compressed beforehand is called."""

TYPES = {".js": "text/javascript", ".webmanifest": "application/manifest+json", ".svg": "image/svg+xml", ".woff2": "font/woff2"}


@dataclass(frozen=True, slots=True)
class File:
    """One file with its encodings; `""` is the file as it is."""

    content_type: str
    etag: str
    is_hashed: bool
    bodies: dict[str, bytes]


class StaticFiles:
    """All files of a folder, in memory."""

    def __init__(self, folder: Path) -> None:
        self.files: dict[str, File] = {}
        if folder.is_dir():
            for path in sorted(folder.rglob("*")):
                name = path.relative_to(folder).as_posix()
                if path.is_file() and path.suffix not in (".br", ".gz") and not path.name.startswith("."):
                    self.files[name] = read(path, name)

    def answer(self, request: web.Request, name: str) -> web.Response | None:
        """Answer with a file, or with 304 if the asker has it; None if there is no such file."""
        file = self.files.get(name)
        if file is None:
            return None
        headers = {
            "ETag": file.etag,
            "Cache-Control": "public, max-age=31536000, immutable" if file.is_hashed else "no-cache",
            "Vary": "Accept-Encoding",
        }
        if file.etag in request.headers.get("If-None-Match", ""):
            return web.Response(status=304, headers=headers)
        accepted = accepted_encodings(request.headers.get("Accept-Encoding", ""))
        encoding = next((name for name, _ in ENCODINGS if name in accepted and name in file.bodies), "")
        if encoding:
            headers["Content-Encoding"] = encoding
        headers["Content-Type"] = file.content_type
        return web.Response(body=file.bodies[encoding], headers=headers)


def accepted_encodings(header: str) -> set[str]:
    """Read which encodings an asker takes; with a weight of 0 one is refused."""
    accepted = set()
    for word in header.split(","):
        name, _, weight = word.partition(";")
        if not re.fullmatch(r"\s*q=0(\.0{0,3})?\s*", weight):
            accepted.add(name.strip())
    return accepted


def read(path: Path, name: str) -> File:
    """Read a file, and what it is compressed to; a file that was not compressed beforehand is now."""
    body = path.read_bytes()
    bodies = {"": body}
    for encoding, suffix in ENCODINGS:
        beside = path.with_name(path.name + suffix)
        if beside.is_file():
            bodies[encoding] = beside.read_bytes()
    if "gzip" not in bodies and path.suffix in COMPRESSED:
        bodies["gzip"] = gzip.compress(body, 9, mtime=0)
    kind = TYPES.get(path.suffix) or mimetypes.guess_type(path.name)[0] or "application/octet-stream"
    content_type = f"{kind}; charset=utf-8" if path.suffix in COMPRESSED else kind
    return File(content_type, f'"{hashlib.sha256(body).hexdigest()[:24]}"', name.startswith("assets/"), bodies)
