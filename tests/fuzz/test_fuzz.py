"""Whatever is read from outside is read or refused with an error that says why, quickly; what was read is read again as it was written."""

from __future__ import annotations

import os
import resource
import secrets
import time
import tracemalloc
from collections.abc import Callable

import pytest

from tests.fuzz.feeding import Feeder, Target
from tests.fuzz.targets_engine import ENGINE
from tests.fuzz.targets_server import SERVER

TARGETS = (*ENGINE, *SERVER)
QUICK = 120
QUICK_BOMBS = 12
MILLION = 1_000_000
TURN = 500
MEMORY_MAX = 64 * 1024 * 1024
"""More than the biggest of all files that are read needs; nothing that comes over a network comes near it."""


@pytest.mark.parametrize("target", TARGETS, ids=lambda target: target.name)
def test_inputs_are_read_or_refused(target: Target, record_property: Callable[[str, object], None]) -> None:
    """Some inputs that are always the same, and some that nobody has seen before."""
    for seed in (1, secrets.randbelow(10**9)):
        feeder = Feeder(target, seed)
        feeder.feed(QUICK)
        assert [] == feeder.fed.faults, "\n".join(feeder.fed.faults)
    record_property("the slowest took ms", round(feeder.fed.slowest_ms, 1))


@pytest.mark.parametrize("target", TARGETS, ids=lambda target: target.name)
def test_nothing_takes_long_or_much(target: Target) -> None:
    """Inputs that are as deep, long and repetitive as they may be take no more than a tenth of a second, and little memory."""
    feeder = Feeder(target, 1)
    feeder.blow(QUICK_BOMBS)
    assert [] == feeder.fed.faults, "\n".join(feeder.fed.faults)
    tracemalloc.start()
    try:
        feeder.blow(QUICK_BOMBS // 4)
        most = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert most < MEMORY_MAX


@pytest.mark.soak
def test_a_million_inputs(capsys: pytest.CaptureFixture[str]) -> None:
    """A million inputs, spread over everything that reads, and more for as long as is asked."""
    end = time.monotonic() + float(os.environ.get("KOZYR_SOAK_SECONDS", "0"))
    began, seed = time.process_time(), secrets.randbelow(10**9)
    feeders = [Feeder(target, seed) for target in TARGETS]
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    for feeder in feeders:
        feeder.blow(10**6)
    while sum(feeder.fed.inputs for feeder in feeders) < MILLION or time.monotonic() < end:
        for feeder in feeders:
            feeder.feed(TURN)
    grown_mb = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024
    inputs, accepted = (sum(getattr(feeder.fed, name) for feeder in feeders) for name in ("inputs", "accepted"))
    slowest = max(feeders, key=lambda feeder: feeder.fed.slowest_ms)
    with capsys.disabled():
        print(  # noqa: T201
            f"\n{inputs} inputs to {len(feeders)} readers with seed {seed}: {accepted} read, {inputs - accepted} refused, the slowest "
            f"{slowest.fed.slowest_ms:.1f} ms ({TARGETS[feeders.index(slowest)].name}), {grown_mb:.0f} MB more memory, "
            f"{time.process_time() - began:.0f} s of a core"
        )
    faults = [fault for feeder in feeders for fault in feeder.fed.faults]
    assert [] == faults, "\n".join(faults)
    assert grown_mb < 400
