"""docs/protocol.md says what `kozyr.wire` says."""
from __future__ import annotations

import re
from pathlib import Path
from typing import get_args

import pytest
from msgspec import inspect

from kozyr.wire import VERSION, codes, lobby, messages, schema

TEXT = (Path(__file__).parents[2] / "docs" / "protocol.md").read_text(encoding="utf-8")


def fields_of(kind: type) -> list[str]:
    """The fields of a message as the document writes them."""
    struct = inspect.type_info(kind)
    assert isinstance(struct, inspect.StructType)
    return [field.encode_name for field in struct.fields]


def row_of(tag: str, names: list[str]) -> str | None:
    """The document's row of a message with these fields."""
    for line in TEXT.splitlines():
        cells = [cell.strip() for cell in line.strip("|").split(" | ")]
        if cells[0].strip("| ") == f"`{tag}`" and len(cells) > 1 and re.findall(r"`([a-z_]+)\??`", cells[1]) == names:
            return line
    return None


UNIONS = (messages.ClientMessage, messages.ServerMessage, messages.Event, lobby.LobbyMessage, lobby.LobbyAnswer)


@pytest.mark.parametrize("union", UNIONS, ids=["client", "server", "events", "lobby", "lobby's answers"])
def test_every_message_is_described_with_its_fields(union: object) -> None:
    """A reader of the document finds every message, event and field."""
    missing = [
        member.__name__
        for member in get_args(union)
        if row_of(str(member.__struct_config__.tag), fields_of(member)) is None
    ]
    assert [] == missing


def test_every_code_is_described() -> None:
    """The document lists exactly the codes that there are, with their sentences."""
    listed = dict(re.findall(r"^\| `([a-z_]+)` \| (.*) \|$", TEXT.split("## Codes")[1], re.MULTILINE))
    assert codes.CODES == listed


def test_the_document_names_the_version() -> None:
    """The document is about the version that is spoken."""
    assert TEXT.startswith(f"# The protocol, version {VERSION}\n")


def test_the_limit_is_the_documents() -> None:
    """16 KiB, in the document and in the code."""
    assert messages.SIZE_MAX == 16 * 1024
    assert "16 KiB" in TEXT


def test_every_body_is_described() -> None:
    """Each request and answer is named."""
    for body in (*schema.BODIES, lobby.OpenTable):
        assert f"`{body.__name__}`" in TEXT
