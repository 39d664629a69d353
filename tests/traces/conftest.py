"""
The count of games compared, in the summary of the test run.
"""

from __future__ import annotations

from collections import Counter

import pytest


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """
    Say how many games each engine has replayed without a difference.
    """
    counts: Counter[tuple[str, str]] = Counter()
    for report in terminalreporter.stats.get("passed", []):
        told = dict(getattr(report, "user_properties", []))
        if "replayed_by" in told:
            counts[told["replayed_by"], "games"] += told["games"]
            counts[told["replayed_by"], "states"] += told["states"]
    for name in sorted({name for name, _ in counts}):
        terminalreporter.write_line(f"traces: {counts[name, 'games']} games, {counts[name, 'states']} states, no difference in {name}")
