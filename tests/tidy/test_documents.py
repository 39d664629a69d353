"""README, CHANGELOG and CI say what is so."""

from __future__ import annotations

import re
import tomllib

import kozyr
from tests.tidy.files import ROOT, name, texts

CODE = re.compile(r"```.*?```|`[^`\n]*`", re.DOTALL)


def commands(document: str) -> list[str]:
    """
    List the commands in a document's shell blocks.
    """
    text = (ROOT / document).read_text(encoding="utf-8")
    return [line.strip() for block in re.findall(r"```sh\n(.*?)```", text, re.DOTALL) for line in block.splitlines() if line.strip()]


def bare(command: str) -> str:
    """
    Strip the comment from a command.
    """
    return command.split("#")[0].strip()


def test_readmes_first_screen_has_the_two_commands() -> None:
    """
    A newcomer sees how to play and how to test before scrolling.
    """
    assert ["python3 run.py", "python3 run.py test"] == [bare(each) for each in commands("README.md")][:2]
    screen = (ROOT / "README.md").read_text(encoding="utf-8").splitlines()[:40]
    assert any(bare(line) == "python3 run.py test" for line in screen)


def test_ci_runs_the_readmes_second_command() -> None:
    """
    What the README promises is what is checked.
    """
    script = (ROOT / ".ci/run").read_text(encoding="utf-8")
    assert "python3 run.py test" in script
    assert (ROOT / ".ci/run").stat().st_mode & 0o111


def test_changelog_knows_this_version() -> None:
    """
    Every version has its entry for users.
    """
    assert re.search(rf"^## \[{re.escape(kozyr.__version__)}\]", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), re.MULTILINE)


def test_the_version_stands_in_one_place() -> None:
    """
    The package's metadata takes its version from kozyr itself.
    """
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    assert "version" in project["project"]["dynamic"]
    assert {"attr": "kozyr.__version__"} == project["tool"]["setuptools"]["dynamic"]["version"]


def test_links_between_documents_lead_somewhere() -> None:
    """
    A relative link in a document points at a file of the repository.
    """
    broken = [
        f"{name(path)}: {target}"
        for path in texts(".md")
        for target in re.findall(r"\]\(([^)#\s]+)(?:#[^)\s]*)?\)", CODE.sub("", path.read_text(encoding="utf-8")))
        if "://" not in target and not target.startswith("mailto:") and not (path.parent / target).exists()
    ]
    assert [] == broken
