"""The exported schema and the client's types say what `kozyr.wire` says."""
from __future__ import annotations

from pathlib import Path
from typing import get_args

import msgspec
import pytest
from jsonschema import Draft202012Validator

from kozyr.wire import messages, schema

CLIENT = Path(__file__).parents[2] / "client" / "src" / "wire" / "messages.ts"


def test_client_types_are_up_to_date() -> None:
    """The client is built on the messages that the server speaks."""
    assert schema.typescript() == CLIENT.read_text(encoding="utf-8")


def test_schema_is_a_json_schema() -> None:
    """The exported schema can be read by any validator."""
    Draft202012Validator.check_schema(schema.schema())


@pytest.mark.parametrize("union", ["ClientMessage", "ServerMessage", "Event"])
def test_schema_holds_every_message(union: str) -> None:
    """No message is missing in the schema."""
    names = {member.__name__ for member in get_args(schema.UNIONS[union])}
    assert names <= set(schema.schema()["$defs"])


def test_an_encoded_message_fits_the_schema() -> None:
    """What the server encodes is what the schema allows."""
    view = messages.View("DEFENCE", 3, "h", 12, [messages.SeatView(6), messages.SeatView(5)], bout=[messages.Pair("7h", 0)], hand=["8h"])
    update = messages.Update(9, [messages.Attacked(0, ["7h"])], view=view)
    validator = Draft202012Validator({**schema.schema(), "$ref": "#/$defs/ServerMessage"})
    assert [] == list(validator.iter_errors(msgspec.json.decode(messages.encode(update))))


def test_every_type_says_what_it_is_once() -> None:
    """Two messages never share a tag."""
    for union in schema.UNIONS.values():
        tags = [member.__struct_config__.tag for member in get_args(union)]
        assert sorted(set(tags)) == sorted(tags)
