"""The audit of packages fails where a vulnerability is known, and only then."""

from __future__ import annotations

import json
import subprocess
from typing import Any

import pytest

import audit

KNOWN = {"name": "old", "version": "1.0", "vulns": [{"id": "CVE-1", "fix_versions": ["1.1"]}]}


@pytest.mark.parametrize(
    ("printed", "code", "said"),
    [
        ({"dependencies": [{"name": "new", "version": "2", "vulns": []}]}, 0, "1 packages asked about, 0 with"),
        ({"dependencies": [KNOWN]}, 1, "old 1.0: CVE-1, repaired in 1.1"),
        ({"dependencies": [{"name": "own", "skip_reason": "not found"}]}, 0, "SKIPPED"),
        (None, 0, "SKIPPED"),
    ],
)
def test_only_what_is_known_fails(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], printed: dict[str, Any] | None, code: int, said: str
) -> None:
    """Without the network nothing is found out, which is said; what is found is named with the version that repairs it."""

    def run(command: list[str], **options: object) -> subprocess.CompletedProcess[str]:
        return subprocess.CompletedProcess(command, 1, "" if printed is None else json.dumps(printed), "ConnectionError")

    monkeypatch.setattr(audit.subprocess, "run", run)
    assert code == audit.main()
    assert said in capsys.readouterr().out
