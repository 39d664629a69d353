"""docs/cli.md and docs/bots.md say what the commands and the bots do."""

from __future__ import annotations

import doctest
import re
import shlex

import pytest

from kozyr.bots import LEVELS
from kozyr.cli import COMMANDS
from kozyr.core.presets import PRESETS
from tests.tidy.files import ROOT

from .conftest import Kozyr

PAGE = (ROOT / "docs/cli.md").read_text(encoding="utf-8")
EXAMPLES = re.findall(r"```\n\$ kozyr (.*)\n((?:.*\n)*?)```", PAGE)
TIME = re.compile(r"[\d,.]+ ms")
QUESTION = re.compile(r"^(Your move(?:, or Enter to wait)?: )(.*)\n", re.MULTILINE)


def section(name: str) -> str:
    """
    Find what the page says of a command.
    """
    return PAGE.partition(f"\n## {name}\n")[2].partition("\n## ")[0]


@pytest.mark.parametrize(("words", "printed"), EXAMPLES, ids=[words.split()[0] for words, _ in EXAMPLES])
def test_examples_print_what_they_print(kozyr: Kozyr, words: str, printed: str) -> None:
    """
    What the page shows behind a command is what it prints; answers stand behind the questions.
    """
    typed = "".join(f"{answer}\n" for _, answer in QUESTION.findall(printed))
    shown = kozyr(*shlex.split(words), typed=typed).out.rstrip("\n") + "\n"
    assert TIME.sub("… ms", QUESTION.sub(r"\1", printed)) == TIME.sub("… ms", shown)


def part(name: str) -> str:
    """
    Find what the page says of a command of a command, such as "train belief".
    """
    text = re.split(r"^`kozyr ", section(name.split()[0]), flags=re.MULTILINE)
    return next(each for each in text if each.startswith(f"{name}` "))


def options_of(kozyr: Kozyr, name: str) -> list[str]:
    """
    List the options that a command tells of when it is asked for help.
    """
    return [each for each in re.findall(r"^  (--[a-z-]+)", kozyr(*name.split(), "--help").out, re.MULTILINE) if each != "--help"]


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_and_option_is_described(kozyr: Kozyr, name: str) -> None:
    """
    Each command has its part of the page, and each of its options is named there.
    """
    assert section(name)
    assert [] == [option for option in options_of(kozyr, name) if f"`{option}" not in section(name)]


@pytest.mark.parametrize("name", ["train normal", "train expert", "train belief"])
def test_every_training_and_option_is_described(kozyr: Kozyr, name: str) -> None:
    """
    Each level that is trained has its part of the page of `train`, and each of its options is named there.
    """
    options = options_of(kozyr, name)
    assert len(options) >= 5
    assert [] == [option for option in options if f"`{option}" not in part(name)]


def test_every_training_is_known_here(kozyr: Kozyr) -> None:
    """
    A training that is new is described, too.
    """
    told = kozyr("train", "--help").out.partition("Commands:\n")[2]
    assert ["belief", "expert", "normal"] == sorted(re.findall(r"^  ([a-z]+):", told, re.MULTILINE))


def test_every_preset_and_level_is_named() -> None:
    """
    Names that may be typed stand on the page.
    """
    assert [] == [name for name in (*PRESETS, *LEVELS) if f"`{name}`" not in section("play")]


def test_the_page_on_bots_is_what_bots_do() -> None:
    """
    Its examples are run.
    """
    failed, tried = doctest.testfile(str(ROOT / "docs/bots.md"), module_relative=False, encoding="utf-8")
    assert (0, True) == (failed, tried > 0)


def test_every_level_has_its_part_of_the_page() -> None:
    """
    A level is described where people look for it.
    """
    page = (ROOT / "docs/bots.md").read_text(encoding="utf-8")
    assert [] == [name for name in LEVELS if f"\n## {name.capitalize()}\n" not in page]
