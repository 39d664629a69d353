"""A server's settings: a file, the environment, the command line; and what is said about those that cannot be."""

from __future__ import annotations

import importlib.util
import json
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from kozyr.cli.settings import ALLOWANCES, SETTINGS, Settings, read_settings
from kozyr.cli.trouble import Trouble
from tests.tidy.files import ROOT

from .conftest import Kozyr


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """Make a file of settings."""
    place = tmp_path / "kozyr.toml"
    place.write_text('port = 1001\npause = 1\nproxy = ["10.0.0.1"]\n[limits]\ncreating = [2, 500]\n[coins]\nopening = 500\n')
    return place


def test_each_source_weighs_more_than_the_one_before(file: Path) -> None:
    """The file, then the environment, then the command line; each says only what it wants changed."""
    settings = read_settings(file, {"KOZYR_PAUSE": "2", "KOZYR_LIMITS_JOINING": "3, 600", "HOME": "x"}, {"port": 1003, "host": None})
    assert (1003, 2, "127.0.0.1", ("10.0.0.1",)) == tuple(settings[name] for name in ("port", "pause", "host", "proxy"))
    assert ((2, 500), (3, 600), (30, 2000)) == tuple(settings[f"limits.{name}"] for name in ("creating", "joining", "changing"))
    assert {"port": "--port", "pause": "KOZYR_PAUSE", "coins.opening": str(file)}.items() <= settings.sources.items()
    assert 500 == read_settings(None, {"KOZYR_SETTINGS": str(file)}, {})["coins.opening"]
    assert 7 == read_settings(file, {"KOZYR_PORT": "5"}, {"port": 6}, ["port=7"])["port"]


@pytest.mark.parametrize(
    ("text", "environment", "more", "said"),
    [
        ("prot = 1", {}, [], "FILE: there is no setting prot; do you mean port?"),
        ("[limits]\ncreatin = [1, 2]", {}, [], "FILE: there is no setting limits.creatin; do you mean limits.creating?"),
        ("port = '80'\nport = 81", {}, [], "settings cannot be read: FILE: Cannot overwrite a value"),
        ("port = 'eighty'", {}, [], "FILE: port must be a number, not 'eighty'"),
        ("port = true", {}, [], "FILE: port must be a whole number, not True"),
        ("port = 70000", {}, [], "FILE: port must be 0 to 65535, not 70000"),
        ("host = 1", {}, [], "FILE: host must be a text, not 1"),
        ("[limits]\ncreating = 3", {}, [], "FILE: limits.creating must be two whole numbers"),
        ("[limits]\ncreating = [0, 3]", {}, [], "FILE: limits.creating must be 1 to 1000000 at once"),
        ("", {"KOZYR_PROT": "1"}, [], "KOZYR_PROT: there is no setting prot; do you mean port?"),
        ("", {"KOZYR_LOG": "xml"}, [], "KOZYR_LOG: log must be text, json or logfmt, not 'xml'"),
        ("", {}, ["port"], "--set: port is not NAME=VALUE"),
        ("", {}, ["drain_s=soon"], "--set: drain_s must be a number, not 'soon'"),
        ("workers = 2", {}, [], "several workers need a database postgresql://…; a file is served by one"),
        ("hints = 'smoke://hill'", {}, [], "hints must be notify, or where a broker is: nats://HOST:PORT, tls://HOST:PORT, redis://"),
        ("hints = 'nats://'", {}, [], "hints must be notify, or where a broker is"),
        ("hints = 'redis://:otter@'", {}, [], "hints must be notify, or where a broker is"),
        ("hints = 'nats://h'", {}, [], "hints go by a broker between processes on a database postgresql://…; a file is served by one"),
        ("[bots]\nqueue = 0", {}, [], "FILE: bots.queue must be 1 to 10000, not 0"),
        ("metrics_port = 8000", {}, [], "metrics_port: 8000 is the port of the server itself"),
        ("[coins]\nopening = 100", {}, [], "coins.floor is more than coins.opening: nobody would have less than is given again"),
        ("operator_password = 'short'", {}, [], "FILE: operator_password must have at least 12 characters"),
    ],
)
def test_what_cannot_be_is_named(tmp_path: Path, text: str, environment: dict[str, str], more: list[str], said: str) -> None:
    """An unknown name, a wrong type, a value out of range and settings that contradict are refused in one line that says where."""
    place = tmp_path / "kozyr.toml"
    place.write_text(text)
    with pytest.raises(Trouble) as trouble:
        read_settings(place, environment, {}, more)
    assert str(trouble.value).replace(str(place), "FILE").startswith(said)


def test_secrets_are_shown_nowhere(kozyr: Kozyr, file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is printed is a file that can be read again, with where each value comes from, and without passwords."""
    monkeypatch.setenv("KOZYR_OPERATOR_PASSWORD", "correct horse")
    monkeypatch.setenv("KOZYR_METRICS_TOKEN", "token" * 4)
    words = ("--settings", file, "--print-settings", "--database", "postgresql://me:hidden@db/kozyr", "--set", "limits.phrases=1,9")
    for asked in (words, ("serve", *words)):
        shown = kozyr(*asked)
        assert 0 == shown.code
        assert [] == [secret for secret in ("horse", "tokentoken", "hidden") if secret in shown.out]
        read = tomllib.loads(shown.out)
        assert (1001, "postgresql://me:…@db/kozyr", [1, 9]) == (read["port"], read["database"], read["limits"]["phrases"])
        assert "phrases = [1, 9]  # --set" in shown.out
        assert "opening = 500  # " + str(file) in shown.out
    monkeypatch.setenv("KOZYR_OPERATOR_PASSWORD", "short one")
    assert "short one" not in kozyr("serve").err


def test_settings_are_shown_without_the_packages_for_postgresql() -> None:
    """Whoever serves a file has none of them."""
    program = "import sys; sys.modules['asyncpg'] = None; from kozyr.cli import main; sys.exit(main(['--print-settings', '--port', '81']))"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert (0, "") == (done.returncode, done.stderr)
    assert 81 == tomllib.loads(done.stdout)["port"]


@pytest.mark.parametrize(
    "hints", ["notify", "nats://h", "nats://h:4222", "tls://me:otter@h:4222", "redis://:otter@10.0.0.7:6379/0", "valkeys://[::1]:6379"]
)
def test_hints_go_where_they_are_told_to(kozyr: Kozyr, hints: str, tmp_path: Path) -> None:
    """A broker is named by file, environment or option; its password is shown nowhere."""
    database = "postgresql://me@db/kozyr"
    place = tmp_path / "kozyr.toml"
    place.write_text(f'hints = "{hints}"\ndatabase = "{database}"\n')
    assert hints == read_settings(place, {}, {})["hints"]
    assert hints == read_settings(None, {"KOZYR_HINTS": hints, "KOZYR_DATABASE": database}, {})["hints"]
    shown = kozyr("serve", "--print-settings", "--database", database, "--hints", hints)
    assert (0, False) == (shown.code, "otter" in shown.out)
    assert hints.partition("://")[0] in tomllib.loads(shown.out)["hints"]


def test_hints_without_their_package_say_what_is_missing(kozyr: Kozyr, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever asks for a broker whose package is not there is told how to get it, before anything starts."""
    find = importlib.util.find_spec
    monkeypatch.setattr(importlib.util, "find_spec", lambda name, *more: None if name in ("nats", "redis") else find(name, *more))
    for scheme, package in (("nats", "nats"), ("valkey", "redis")):
        asked = kozyr("serve", "--database", "postgresql://me@localhost/kozyr", "--hints", f"{scheme}://h")
        assert 0 != asked.code and f"hints by {scheme}:// need a package: pip install 'kozyr[{package}]'" in asked.err


def test_a_worker_gets_the_same_settings(file: Path) -> None:
    """What is handed on to a process of the same server is read as it was."""
    settings, again = read_settings(file, {}, {"host": "0.0.0.0"}), Settings()
    for name, value in json.loads(settings.written()).items():
        again.put(name, value, "handed on")
    assert [settings[name] for name in SETTINGS] == [again[name] for name in SETTINGS]


def test_every_setting_is_described() -> None:
    """The page on running a server has a line for each, with its default."""
    page = (ROOT / "docs/operations.md").read_text(encoding="utf-8")
    for name, setting in SETTINGS.items():
        default = json.dumps(setting.default)
        assert f"| `{name}` | `{default}` |" in page, f"| `{name}` | `{default}` | {setting.about} |"
    assert "creating" in ALLOWANCES


def test_what_is_deployed_has_settings_that_there_are(tmp_path: Path) -> None:
    """The unit, the file of settings and the environment of the containers are read as a server reads them."""
    deploy = ROOT / "deploy"
    assert "json" == read_settings(deploy / "kozyr.toml", {}, {})["log"]
    compose = (deploy / "compose.yaml").read_text(encoding="utf-8")
    given = dict(re.findall(r'^      (KOZYR_\w+): "?([^"\n]*)"?$', compose, re.MULTILINE))
    settings = read_settings(None, {**given, "KOZYR_OPERATOR_PASSWORD": ""}, {})
    assert (4, 9100, 2.0) == (settings["workers"], settings["metrics_port"], settings["drain_s"])
    assert f"ipv4_address: {settings['proxy'][0]}" in compose
    unit = (deploy / "kozyr.service").read_text(encoding="utf-8")
    assert "ExecStart=/opt/kozyr/bin/kozyr serve --settings %d/kozyr.toml\n" in unit
    assert {"database"} == {name.lower() for name in re.findall(r"Environment=KOZYR_(\w+)=", unit)}
