"""Health, readiness and the figures of a server: what they say, and to whom."""

from __future__ import annotations

import sqlite3

import aiohttp
import pytest
from prometheus_client.parser import text_string_to_metric_families

from kozyr.app.counts import COUNTS, SECONDS, Spread
from kozyr.web.health import looked_at

from .conftest import Server
from .player import seated

Figures = dict[str, float]


async def read(session: aiohttp.ClientSession, address: str = "/metrics", **headers: str) -> Figures:
    """Read all figures: name and labels, but the process's."""
    async with session.get(address, headers=headers) as response:
        assert 200 == response.status
        text = await response.text()
    figures = {}
    for family in text_string_to_metric_families(text):
        for sample in family.samples:
            labels = ",".join(value for name, value in sorted(sample.labels.items()) if name != "process")
            figures[f"{sample.name}{{{labels}}}"] = sample.value
    return figures


async def test_the_figures_are_those_of_what_happened(server: Server, http: aiohttp.ClientSession) -> None:
    """A game that is played shows in tables, connections, players, moves, acknowledgements and batches."""
    server.site.running.metrics_token = "figures-please"
    key = {"Authorization": "Bearer figures-please"}
    before = await read(http, **key)
    async with await seated(http, options={"seats": 2}) as player:
        await player.hello()
        during = await read(http, **key)
        await player.agree()
        await player.play_out()
        assert "refused" == (await player.ask(t="play", move="take", bout=1))["t"]
    after = await read(http, **key)
    grown = {name: after[name] - before.get(name, 0) for name in after}
    assert (1, 1, 1) == tuple(during[name] for name in ("kozyr_tables{seeds}", "kozyr_connections{table}", "kozyr_players{}"))
    assert (1, 1) == (grown["kozyr_tables_opened_total{}"], grown["kozyr_tables{over}"])
    moves = grown["kozyr_moves_total{}"]
    assert moves > 8
    assert moves < grown["kozyr_acknowledgement_seconds_count{}"] == grown["kozyr_acknowledgement_seconds_bucket{+Inf}"]
    assert 0 < grown["kozyr_batch_appends_count{}"] <= grown["kozyr_batch_appends_sum{}"]
    assert 1 == grown["kozyr_refusals_total{game_over}"]
    assert (1, 1) == (grown["kozyr_http_requests_total{201}"], grown["kozyr_http_requests_total{101}"])
    for name in ("kozyr_conflicts_total{}", "kozyr_sweeps_total{}", "kozyr_bot_queue{}", "kozyr_clock_late_seconds_count{}"):
        assert name in after


@pytest.mark.parametrize("given", ["", "Bearer", "Bearer ", "Bearer wrong", "figures-please", "Bearer \xff"])
async def test_the_public_port_shows_no_figures_without_the_token(server: Server, http: aiohttp.ClientSession, given: str) -> None:
    """Whoever does not know the token finds no such page, and where there is no token nobody finds one."""
    for token in ("", "figures-please"):
        server.site.running.metrics_token = token
        async with http.get("/metrics", headers={"Authorization": given} if given else {}) as response:
            assert (404, "no_page") == (response.status, (await response.json())["code"])


async def test_the_figures_have_a_port_of_their_own(server: Server, http: aiohttp.ClientSession) -> None:
    """The operator's port needs no token, and has nothing but health and figures."""
    server.site.running.metrics_port = 0
    server.site.running.process = "one"
    async with looked_at(server.site) as port:
        base = f"http://127.0.0.1:{port}"
        assert "kozyr_moves_total{}" in await read(http, f"{base}/metrics")
        async with http.get(f"{base}/metrics") as response:
            assert 'kozyr_moves_total{process="one"}' in await response.text()
        for path, status in (("/healthz", 200), ("/readyz", 200), ("/api/tables", 404), ("/", 404)):
            async with http.get(base + path) as response:
                assert status == response.status


async def test_a_process_that_stops_is_alive_and_not_ready(server: Server, http: aiohttp.ClientSession) -> None:
    """A balancer sends nobody to a process that was told to stop, or whose database does not answer."""

    async def said(path: str) -> tuple[int, str]:
        async with http.get(path) as response:
            return response.status, await response.text()

    assert (200, "alive\n") == await said("/healthz")
    assert (200, "ready\n") == await said("/readyz")
    server.site.running.is_stopping = True
    assert (503, "stopping\n") == await said("/readyz")
    assert (200, "alive\n") == await said("/healthz")
    server.site.running.is_stopping = False

    async def fail() -> int:
        raise sqlite3.OperationalError("disk I/O error")

    server.site.store.last_beat = fail  # type: ignore[method-assign]
    assert (503, "no database\n") == await said("/readyz")


def test_a_spread_knows_where_its_values_lie() -> None:
    """The part of the values that lies below a bound is named by the bound."""
    spread = Spread(SECONDS)
    assert (0, 0.0) == (spread.count, spread.below(0.5))
    for value in (0.0005, 0.002, 0.002, 20.0):
        spread.add(value)
    assert (4, 0.001, 0.0025, float("inf")) == (spread.count, spread.below(0.25), spread.below(0.75), spread.below(1.0))
    assert 20.0045 == pytest.approx(spread.total)
    assert 0 == COUNTS.thinking
