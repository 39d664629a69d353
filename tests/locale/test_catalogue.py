"""Six languages, one catalogue: the same keys, the same holes, every plural form, a sentence for every code."""
from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

import kozyr
from kozyr.core.options import CHOICES
from kozyr.core.presets import PRESETS
from kozyr.wire.codes import CODES

FOLDER = Path(kozyr.__file__).with_name("locale")
LANGUAGES = ("az", "en", "it", "lt", "ru", "tr")
PLURALS = {
    "az": ("one", "other"),
    "en": ("one", "other"),
    "it": ("one", "many", "other"),
    "lt": ("one", "few", "many", "other"),
    "ru": ("one", "few", "many", "other"),
    "tr": ("one", "other"),
}
"""The plural forms of each language, as the Unicode CLDR has them."""

Message = str | dict[str, str]


def read(language: str) -> dict[str, Message]:
    pairs: list[tuple[str, Any]] = json.loads((FOLDER / f"{language}.json").read_text(encoding="utf-8"), object_pairs_hook=list)
    assert len(pairs) == len({key for key, _ in pairs}), f"{language}: a key comes twice"
    return {key: dict(value) if isinstance(value, list) else value for key, value in pairs}


ALL = {language: read(language) for language in LANGUAGES}
ENGLISH = ALL["en"]


def forms(message: Message) -> list[str]:
    return [message] if isinstance(message, str) else list(message.values())


def holes(text: str) -> set[str]:
    return set(re.findall(r"\{(\w+)\}", text))


def test_there_is_a_file_for_each_language_and_none_besides() -> None:
    """az, tr, lt, it, en and ru."""
    assert sorted(LANGUAGES) == sorted(path.stem for path in FOLDER.glob("*.json"))


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_has_the_same_keys_in_the_same_order(language: str) -> None:
    """Nothing is left in English, nothing is left over."""
    assert list(ENGLISH) == list(ALL[language])


@pytest.mark.parametrize("language", LANGUAGES)
def test_plural_forms_are_complete(language: str) -> None:
    """Russian and Lithuanian have four forms, Italian three, the others two."""
    for key, message in ALL[language].items():
        assert isinstance(ENGLISH[key], dict) == isinstance(message, dict), key
        if isinstance(message, dict):
            assert PLURALS[language] == tuple(message), key


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_form_has_the_holes_of_the_english_one(language: str) -> None:
    """A form for one thing may say it in words; the others name the number."""
    for key, message in ALL[language].items():
        wanted = set().union(*map(holes, forms(ENGLISH[key])))
        for text in forms(message):
            may_miss = {"n"} if isinstance(message, dict) and text == message["one"] else set()
            assert wanted - may_miss <= holes(text) <= wanted, f"{key}: {text}"


@pytest.mark.parametrize("language", LANGUAGES)
def test_texts_are_clean(language: str) -> None:
    """No empty text, no stray blank, no straight quotes, no dots where an ellipsis belongs."""
    for key, message in ALL[language].items():
        for text in forms(message):
            assert text and text == text.strip() and "  " not in text, key
            assert "..." not in text and "'" not in text and '"' not in text, f"{key}: {text}"


@pytest.mark.parametrize("language", [language for language in LANGUAGES if language != "en"])
def test_sentences_are_translated(language: str) -> None:
    """What is longer than a few words is never the English sentence."""
    same = [key for key, message in ALL[language].items() if len(forms(message)[0]) > 16 and forms(message)[0] == forms(ENGLISH[key])[0]]
    assert [] == same


def test_every_code_of_the_server_has_a_sentence() -> None:
    """An error is told in words, never by its code alone."""
    assert [] == [code for code in CODES if f"error.{code}" not in ENGLISH]


def test_every_sentence_about_an_error_has_a_code() -> None:
    """`offline` and `unexpected` are the client's own."""
    codes = {key.removeprefix("error.") for key in ENGLISH if key.startswith("error.")}
    assert {"offline", "unexpected"} == codes - set(CODES)


def test_every_preset_has_a_name() -> None:
    """The presets are called by the catalogue."""
    assert [] == [preset for preset in PRESETS if f"preset.{preset}" not in ENGLISH]


def test_options_on_the_screen_are_explained() -> None:
    """Every option that has a name has a sentence, and a word for each value that is shown as a choice."""
    names = [key.split(".")[1] for key in ENGLISH if re.fullmatch(r"option\.\w+", key)]
    for name in names:
        assert name in CHOICES
        values = CHOICES[name]
        if name in ("deck", "seats"):
            continue
        assert f"option.{name}.help" in ENGLISH
        if not isinstance(values[0], bool):
            shown = [value for value in values if f"option.{name}.{value}" in ENGLISH]
            assert len(shown) >= 2, name


def test_every_card_can_be_named() -> None:
    """Thirteen ranks, four suits."""
    assert [] == [key for rank in "23456789TJQKA" if (key := f"rank.{rank}") not in ENGLISH]
    assert [] == [key for suit in "cdhs" for key in (f"suit.{suit}", f"suit.of.{suit}") if key not in ENGLISH]


def test_every_key_is_used_by_the_client() -> None:
    """A key that nothing asks for is not carried along; those that are put together are known by their beginning."""
    sources = [path for path in (Path(kozyr.__file__).parents[2] / "client/src").rglob("*") if path.suffix in (".ts", ".svelte")]
    text = "\n".join(path.read_text(encoding="utf-8") for path in sources)
    whole = set(re.findall(r"[\"'`]([a-z][\w.]*)[\"'`]", text))
    beginnings = tuple(re.findall(r"`([a-z][\w.]*\.)\$\{", text))
    unused = [key for key in ENGLISH if not {key, key.removesuffix(".me")} & whole and not key.startswith(beginnings)]
    assert [] == unused
