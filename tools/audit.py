"""
Ask whether a known vulnerability is in what requirements/ pins; fails only where one is.

    python3 run.py audit

Without the network, or where the index of packages does not know of vulnerabilities, it says so and passes: then nothing was found out.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
LOCKS = ("test", "node")
PATIENCE_S = 120
ACCEPTED: dict[str, str] = {}
"""Vulnerabilities that do not concern us: id, and why."""


def asked_about(lock: str) -> list[dict[str, Any]]:
    """
    List what is known of the packages of a lock file; of those that nothing could be found out about, nothing.
    """
    ignored = [word for name in ACCEPTED for word in ("--ignore-vuln", name)]
    command = [sys.executable, "-m", "pip_audit", "--disable-pip", "--require-hashes", "--progress-spinner", "off", "--timeout", "10"]
    try:
        done = subprocess.run(
            [*command, *ignored, "--format", "json", "-r", f"requirements/{lock}.txt"],
            cwd=ROOT, capture_output=True, text=True, timeout=PATIENCE_S, check=False,
        )  # fmt: skip
        return [package for package in json.loads(done.stdout)["dependencies"] if "vulns" in package]
    except (subprocess.TimeoutExpired, ValueError, KeyError, OSError):
        return []


def main() -> int:
    """
    Audit every lock file; the exit code is 1 where something is known.
    """
    is_bad = False
    for lock in LOCKS:
        asked = asked_about(lock)
        found = [package for package in asked if package["vulns"]]
        if not asked:
            print(f"audit of requirements/{lock}.txt SKIPPED: nobody could be asked for known vulnerabilities")
            continue
        for package in found:
            for known in package["vulns"]:
                fixed = ", ".join(known.get("fix_versions", ())) or "no version"
                print(f"{package['name']} {package['version']}: {known['id']}, repaired in {fixed}")
        is_bad = is_bad or bool(found)
        print(f"audit of requirements/{lock}.txt: {len(asked)} packages asked about, {len(found)} with known vulnerabilities")
    return int(is_bad)


if __name__ == "__main__":
    sys.exit(main())
