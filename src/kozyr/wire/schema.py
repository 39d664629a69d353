"""
The messages' types for other languages: JSON Schema, and TypeScript for the client.

    python -m kozyr.wire.schema                 prints the JSON Schema
    python -m kozyr.wire.schema --typescript    prints client/src/wire/messages.ts
"""
from __future__ import annotations

import json
import sys
from types import UnionType
from typing import Any, get_args

import msgspec
from msgspec import inspect

from kozyr.wire import VERSION, http, lobby, messages, people

UNIONS: dict[str, Any] = {
    "ClientMessage": messages.ClientMessage,
    "Event": messages.Event,
    "ServerMessage": messages.ServerMessage,
    "LobbyMessage": lobby.LobbyMessage,
    "LobbyAnswer": lobby.LobbyAnswer,
}
"""Unions that have a name of their own."""

BODIES = (
    http.NewTable, http.TableOpened, http.JoinTable, http.Joined, http.TableCard, lobby.Tables, http.Coins, http.Choices,
    http.Health, http.Problem,
    people.Me, people.ChangeMe, people.NewAccount, people.NewPassword, people.Login, people.Logout, people.PasskeyOptions,
    people.NewPasskey, people.PasskeyLogin, people.Profile, people.Games, people.SeriesList, people.Blocks, people.NewReport,
    people.Reported,
)  # fmt: skip
"""The bodies of the HTTP interface; what they are made of follows from them."""

HEAD = """\
// Generated from kozyr.wire: do not edit. `python -m kozyr.wire.schema --typescript` writes it anew.
"""


def schema() -> dict[str, Any]:
    """
    Give the JSON Schema of every message and body, one definition each under `$defs`.
    """
    types: list[Any] = [member for union in UNIONS.values() for member in get_args(union)]
    _, parts = msgspec.json.schema_components([*types, *BODIES], ref_template="#/$defs/{name}")
    for name, union in UNIONS.items():
        parts[name] = {"anyOf": [{"$ref": f"#/$defs/{member.__name__}"} for member in get_args(union)]}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Kozyr protocol",
        "version": VERSION,
        "$defs": dict(sorted(parts.items())),
    }


def typescript() -> str:
    """
    Give the TypeScript module with one type for every message, part and body.
    """
    roots: list[Any] = [member for union in UNIONS.values() for member in get_args(union)]
    seen: dict[str, inspect.StructType] = {}
    for root in inspect.multi_type_info([*roots, *BODIES]):
        collect(root, seen)
    blocks = [HEAD, f"/** The version of the protocol that `hello` names. */\nexport const VERSION = {VERSION};\n"]
    blocks += [interface(struct) for struct in seen.values()]
    blocks += [f"export type {name} =\n{members(union)};\n" for name, union in UNIONS.items()]
    return "\n".join(blocks)


def collect(type_: inspect.Type, seen: dict[str, inspect.StructType]) -> None:
    """
    Put every struct that *type_* is made of into *seen*, parts before what holds them.
    """
    if isinstance(type_, inspect.StructType):
        if type_.cls.__name__ in seen:
            return
        for field in type_.fields:
            collect(field.type, seen)
        seen[type_.cls.__name__] = type_
    elif isinstance(type_, inspect.UnionType):
        for member in type_.types:
            collect(member, seen)
    elif isinstance(type_, inspect.ListType):
        collect(type_.item_type, seen)
    elif isinstance(type_, inspect.DictType):
        collect(type_.value_type, seen)
    elif isinstance(type_, inspect.Metadata):
        collect(type_.type, seen)


def interface(struct: inspect.StructType) -> str:
    """
    Write one struct as an interface; a field that may be left out is optional.
    """
    lines = [comment(struct.cls.__doc__), f"export interface {struct.cls.__name__} {{"]
    if struct.tag_field is not None:
        lines.append(f"  {struct.tag_field}: {json.dumps(struct.tag)};")
    omits = struct.cls.__struct_config__.omit_defaults
    for field in struct.fields:
        may_miss = not field.required and (omits or struct.forbid_unknown_fields)
        word = typescript_of(field.type)
        if may_miss and omits and field.default is None:
            word = word.removesuffix(" | null")
        lines.append(f"  {field.encode_name}{'?' if may_miss else ''}: {word};{left_out(field) if may_miss else ''}")
    return "\n".join([line for line in lines if line] + ["}", ""])


def left_out(field: inspect.Field) -> str:
    """
    Say what a field that is left out stands for, unless that is nothing.
    """
    default = field.default_factory() if callable(field.default_factory) else field.default
    return "" if default is None else f" // {json.dumps(default)} when left out"


def comment(text: str | None) -> str:
    """
    Write a docstring as a comment; structs without one of their own get none.
    """
    if not text or text.startswith("Struct("):
        return ""
    lines = [line.strip() for line in text.strip().splitlines()]
    if len(lines) == 1:
        return f"/** {lines[0]} */"
    return "\n".join(["/**", *(f" * {line}".rstrip() for line in lines), " */"])


def typescript_of(type_: inspect.Type) -> str:
    """
    Write one type in the words of TypeScript.
    """
    if isinstance(type_, inspect.Metadata):
        return typescript_of(type_.type)
    if isinstance(type_, inspect.StructType):
        return str(type_.cls.__name__)
    if isinstance(type_, inspect.ListType):
        item = typescript_of(type_.item_type)
        return f"({item})[]" if " " in item else f"{item}[]"
    if isinstance(type_, inspect.DictType):
        return f"Record<string, {typescript_of(type_.value_type)}>"
    if isinstance(type_, inspect.LiteralType):
        return " | ".join(json.dumps(value) for value in type_.values)
    if isinstance(type_, inspect.UnionType):
        return union_of(type_)
    return WORDS[type(type_)]


def union_of(type_: inspect.UnionType) -> str:
    """
    Write a union by its name if it has one, else its members with `null` last.
    """
    names = [typescript_of(member) for member in type_.types]
    for name, union in UNIONS.items():
        if {member.__name__ for member in get_args(union)} == set(names):
            return name
    return " | ".join(sorted(names, key=lambda name: (name == "null", name)))


def members(union: UnionType) -> str:
    """
    Write the members of a named union, one a line.
    """
    return "\n".join(f"  | {member.__name__}" for member in get_args(union))


WORDS: dict[type[inspect.Type], str] = {
    inspect.StrType: "string",
    inspect.IntType: "number",
    inspect.FloatType: "number",
    inspect.BoolType: "boolean",
    inspect.NoneType: "null",
    inspect.AnyType: "unknown",
}


def main() -> None:
    """
    Print the JSON Schema, or with `--typescript` the client's types.
    """
    if "--typescript" in sys.argv[1:]:
        sys.stdout.write(typescript())
    else:
        sys.stdout.write(json.dumps(schema(), indent=2, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    main()
