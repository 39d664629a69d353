"""Phrases at a table: who says them, who hears them, and when."""
from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from typing import Any

import aiohttp
import pytest

from kozyr.app import delayed
from kozyr.app.limits import Limits
from kozyr.web import phrases
from kozyr.wire import messages
from tests.web.conftest import Server, browser
from tests.web.player import Player, open_table
from tests.web.test_accounts import ask, named
from tests.web.test_people import dealt, join

FREE: dict[str, Any] = {"preset": "custom", "options": {"seats": 3, "deck": 24}, "bots": [None, "easy"]}
STAKED: dict[str, Any] = {"preset": "custom", "options": {"seats": 2, "stake": 100}}


class Company:
    """Two players, and two who watch: one with a name, and a stranger."""

    host: Player
    friend: Player
    watcher: Player
    stranger: Player
    sessions: list[aiohttp.ClientSession]
    ids: list[str]

    @property
    def all(self) -> list[Player]:
        return [self.host, self.friend, self.watcher, self.stranger]


async def gathered(stack: AsyncExitStack, server: Server, **body: Any) -> Company:
    """Open a table, join it, and watch it."""
    company = Company()
    company.sessions = [await stack.enter_async_context(browser(server)) for _ in range(4)]
    names = zip(company.sessions, ("Ayla", "Emin", "Leyla"), strict=False)
    company.ids = [(await named(session, name))["id"] for session, name in names]
    opened = await open_table(company.sessions[0], **body)
    await join(company.sessions[1], opened["id"])
    players = [await stack.enter_async_context(Player(session, opened["id"])) for session in company.sessions]
    company.host, company.friend, company.watcher, company.stranger = players
    for player in players:
        await player.hello()
    return company


@pytest.fixture
async def company(server: Server) -> AsyncIterator[Company]:
    server.site.allowances.changing = Limits(10**6, 1)
    async with AsyncExitStack() as stack:
        yield await gathered(stack, server, **FREE)


async def heard(player: Player) -> list[tuple[int, str]]:
    """What a player has heard so far."""
    await player.send(t="ping", n=99)
    await player.until("pong")
    found = [(told["seat"], told["phrase"]) for told in player.heard if told["t"] == "said"]
    player.heard = []
    return found


async def test_everybody_at_the_table_hears_a_phrase(company: Company) -> None:
    """The speaker too, and who watches; nothing of it is in the log."""
    before = company.host.seq
    await company.host.send(t="say", id="a", phrase="good_luck")
    await company.host.until("said")
    await company.friend.send(t="say", id="b", phrase="smile")
    await company.host.until("said")
    for each in company.all:
        assert [(0, "good_luck"), (1, "smile")] == await heard(each)
    assert before == (await company.host.hello())["seq"]


async def test_every_phrase_of_the_list_can_be_said(company: Company, server: Server) -> None:
    """Fourteen phrases and eight emotes, and nothing else: no free text at any table."""
    known = messages.Phrase.__args__
    assert 22 == len(known) == len(set(known))
    server.site.phrases._limits = Limits(10**6, 1)
    for phrase in known:
        await company.host.send(t="say", id="a", phrase=phrase)
        assert phrase == (await company.friend.until("said"))["phrase"]
    company.friend.heard = []
    for phrase in ("free text", "", 7, None, ["hello"], "HELLO"):
        await company.host.send(t="say", id="a", phrase=phrase)
        assert "bad_message" == (await company.host.until("fault"))["code"]
    assert [] == await heard(company.friend)


async def test_who_does_not_sit_here_says_nothing(company: Company) -> None:
    """A spectator, a stranger, and one who has left the seat."""
    for each in (company.watcher, company.stranger):
        assert "not_seated" == (await each.ask(t="say", phrase="hello"))["code"]
    await company.friend.ask(t="leave")
    assert "not_seated" == (await company.friend.ask(t="say", phrase="bye"))["code"]
    assert [] == await heard(company.host)


async def test_nobody_talks_too_much(company: Company) -> None:
    """Three at once, then one every three seconds; a second window of the same player has no more."""
    for n in range(3):
        await company.host.send(t="say", id=f"a{n}", phrase="ha")
    assert {"t": "refused", "id": "k1", "code": "not_so_fast"} == await company.host.ask(t="say", phrase="ha")
    async with Player(company.sessions[0], company.host.table_id) as window:
        await window.hello()
        assert "not_so_fast" == (await window.ask(t="say", phrase="ha"))["code"]
    assert 3 == len(await heard(company.friend))
    company.friend.heard = []
    await company.friend.send(t="say", id="b", phrase="ha")
    await company.friend.until("said")
    assert 1 == len([each for each in await heard(company.friend) if each[0] == 1])
    assert phrases.PHRASES == (3, 3000)


async def test_who_has_blocked_somebody_does_not_hear_them(company: Company) -> None:
    """A player or a spectator; the others and the speaker do, and notice nothing."""
    for blocker in (1, 2):
        await ask(company.sessions[blocker], "PUT", f"/api/blocks/{company.ids[0]}")
    await company.host.send(t="say", id="a", phrase="angry")
    await company.host.until("said")
    assert [[(0, "angry")], [], [], [(0, "angry")]] == [await heard(each) for each in company.all]
    await ask(company.sessions[1], "DELETE", f"/api/blocks/{company.ids[0]}")
    await company.host.send(t="say", id="a", phrase="sorry")
    await company.host.until("said")
    assert [(0, "sorry")] == await heard(company.friend)


async def test_who_watches_a_game_for_coins_hears_later(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    """As late as the game is seen: while it runs nothing, and when it is over at once what has not been heard yet."""
    monkeypatch.setattr(delayed, "DELAY_MS", 60_000)
    server.site.allowances.changing = Limits(10**6, 1)
    async with AsyncExitStack() as stack:
        company = await gathered(stack, server, **STAKED)
        await company.host.send(t="say", id="a", phrase="hello")
        assert (0, "hello") == (lambda told: (told["seat"], told["phrase"]))(await company.watcher.until("said"))
        company.watcher.heard = []
        await dealt(company.host, company.friend)
        await company.friend.send(t="say", id="b", phrase="hurry")
        await company.host.until("said")
        assert [] == await heard(company.watcher)
        assert company.friend.view is not None
        await company.friend.ask(t="play", move="resign", bout=company.friend.view["bout_no"])
        assert (1, "hurry") == (lambda told: (told["seat"], told["phrase"]))(await company.watcher.until("said"))
        await company.host.send(t="say", id="c", phrase="good_game")
        assert "good_game" == (await company.watcher.until("said"))["phrase"]


async def test_what_was_said_to_who_watches_comes_in_time(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    """With the moves of that moment, once."""
    real = delayed.DelayedTable.of.__func__  # type: ignore[attr-defined]

    async def soon(cls: Any, live: Any, store: Any, clock: Any) -> Any:
        return await real(cls, live, store, clock, 300)

    monkeypatch.setattr(delayed.DelayedTable, "of", classmethod(soon))
    server.site.allowances.changing = Limits(10**6, 1)
    async with AsyncExitStack() as stack:
        company = await gathered(stack, server, **STAKED)
        await dealt(company.host, company.friend)
        await company.friend.send(t="say", id="b", phrase="think")
        await company.host.until("said")
        assert [] == await heard(company.watcher)
        assert "think" == (await company.watcher.until("said"))["phrase"]
        assert company.friend.view is not None
        await company.friend.ask(t="play", move="resign", bout=company.friend.view["bout_no"])
        company.watcher.heard = []
        assert [] == await heard(company.watcher)
