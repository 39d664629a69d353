"""The HTTP interface is what its description says: requests are made from it, sound and unsound ones, and answers are held to it."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
import requests
import schemathesis
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis.errors import Unsatisfiable
from schemathesis.checks import not_a_server_error
from schemathesis.generation.modes import GenerationMode
from schemathesis.specs.openapi.checks import content_type_conformance, response_schema_conformance, status_code_conformance

from kozyr.app.bot_seats import Pause
from kozyr.app.clock import SystemClock, SystemEntropy
from kozyr.app.limits import Limits
from kozyr.bus.memory import MemoryBus
from kozyr.store.sqlite import SqliteStore
from kozyr.web.allowances import Allowances
from kozyr.web.openapi import document
from kozyr.web.routes import API
from kozyr.web.server import make_site, serving

EXAMPLES = 5
CHECKS = [not_a_server_error, status_code_conformance, content_type_conformance, response_schema_conformance]
ENDLESS = Limits(10**9, 1)


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A server in a thread of its own, without limits."""
    folder = tmp_path_factory.mktemp("described")
    (folder / "index.html").write_text("<!doctype html>")
    loop, stop, where = asyncio.new_event_loop(), asyncio.Event(), threading.Event()
    found: list[str] = []

    async def serve() -> None:
        async with SqliteStore(folder / "kozyr.db") as store:
            site = await make_site(store, store, MemoryBus().join(), SystemClock(), SystemEntropy(), Pause(10**6, 0), Path(folder), store)
            site.allowances = Allowances(*[ENDLESS] * len(Allowances.__dataclass_fields__))
            async with serving(site, "127.0.0.1", 0) as port:
                found.append(f"http://127.0.0.1:{port}")
                where.set()
                await stop.wait()

    thread = threading.Thread(target=lambda: loop.run_until_complete(serve()))
    thread.start()
    assert where.wait(30)
    yield found[0]
    loop.call_soon_threadsafe(stop.set)
    thread.join()
    loop.close()


@pytest.fixture(scope="module")
def guest(base: str) -> Iterator[requests.Session]:
    """A guest with an account."""
    with requests.Session() as session:
        assert 200 == session.patch(f"{base}/api/me", json={"name": "Ayla"}).status_code
        assert 201 == session.post(f"{base}/api/account", json={"password": "long enough"}).status_code
        yield session


OPERATIONS = [found.ok() for found in schemathesis.openapi.from_dict(document(API)).get_all_operations()]


@pytest.mark.parametrize("mode", [GenerationMode.POSITIVE, GenerationMode.NEGATIVE], ids=["sound", "unsound"])
@pytest.mark.parametrize("operation", OPERATIONS, ids=[f"{each.method} {each.path}" for each in OPERATIONS])
def test_every_answer_is_one_that_is_described(
    base: str, guest: requests.Session, operation: schemathesis.schemas.APIOperation, mode: GenerationMode
) -> None:
    """Whatever is asked, the status, the form of the answer and its fields are those of the description, and nothing fails inside."""
    try:
        strategy = operation.as_strategy(generation_mode=mode)

        @seed(0)
        @settings(max_examples=EXAMPLES, deadline=None, database=None, phases=[Phase.generate], suppress_health_check=list(HealthCheck))
        @given(case=strategy)
        def ask(case: schemathesis.Case) -> None:
            case.validate_response(case.call(base_url=base, session=guest), checks=CHECKS)

        ask()
    except Unsatisfiable:
        # A request without a body or a parameter has no unsound form.
        assert mode is GenerationMode.NEGATIVE
