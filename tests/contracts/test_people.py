"""The port of people: guests, accounts, passkeys, records of games, blocks and reports."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from kozyr.app.events import Player
from kozyr.app.office import Act, Office
from kozyr.app.people import BLOCKS_MAX, PASSKEYS_MAX, Change, Denied, Key, People, Person, Report, public_id
from kozyr.app.played import Finished, Kind, Part, Score, SeriesScore
from kozyr.app.ports import Appended, Conflict, Doubled, Row
from kozyr.ledger import settle, stakes
from kozyr.store.postgres import PostgresStore
from kozyr.store.sqlite import SqliteStore
from tests.contracts.keeping import NOON, TERMS, Store, row, welcome

DUEL = Kind(36, 2, False, False, False)


@pytest.fixture(params=["sqlite", "postgres"])
async def store(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Store]:
    if request.param == "postgres":
        async with await PostgresStore.open(request.getfixturevalue("postgres_url")) as opened:
            yield opened
        return
    async with SqliteStore(tmp_path / "kozyr.db") as opened:
        yield opened


async def guests(store: People, *names: str) -> None:
    for name in names:
        assert isinstance(await store.change(name, Change(name.title()), name, NOON), Person)


def key(guest: str, name: str = "key") -> Key:
    return Key(f"{guest}-{name}", guest, name, b"\x00\xff", 0, NOON)


def game(
    table: str, number: int, *players: str, durak: int | None = 1, kind: Kind = DUEL, series: SeriesScore | None = None, at: int = NOON
) -> Finished:
    """A game that the others than the durak went out of, in the order of their seats."""
    out = [seat for seat in range(len(players)) if seat != durak]
    parts = tuple(
        Part(player, seat, None if durak is None or seat == durak else out.index(seat) + 1, seat == durak, durak is None, None)
        for seat, player in enumerate(players)
    )
    people = tuple(Player(player.title(), "person", guest=player) for player in players)
    return Finished(table, number, at, kind, {"deck": 36, "seats": 2}, people, parts, series)


async def play(store: Store, finished: Sequence[Finished], seq: int = 0) -> None:
    assert Appended() == await store.append(finished[0].table, seq, row(seq + 1), None, [], finished)


async def test_a_guest_is_known_again(store: Store) -> None:
    """By the own id and by the public one; what is not changed stays."""
    assert None is await store.person("ann") is await store.person_called(public_id("ann"))
    first = await store.change("ann", Change("Ann", 3), "ann", NOON)
    assert Person("ann", public_id("ann"), "Ann", NOON, 3) == first
    assert replace(first, language="az") == await store.change("ann", Change(language="az"), None, NOON + 5)
    await store.remember("ann", "Anna", NOON + 9)
    kept = replace(first, language="az", name="Anna")
    assert kept == await store.person("ann") == await store.person_called(public_id("ann"))
    assert 16 == len(public_id("ann")) and public_id("ann") != public_id("bob")


async def test_a_guest_becomes_an_account_once(store: Store) -> None:
    """With a password; all sessions before it end; a guest who never was has none."""
    await guests(store, "ann", "bob")
    assert Denied("none") == await store.open_account("eve", "eve", "hash", None, NOON)
    made = await store.open_account("ann", "ann", "hash", None, NOON)
    assert isinstance(made, Person) and made.has_account
    assert (1, "ann", "hash") == (made.generation, made.skeleton, made.password)
    assert made == await store.account_like("ann") == await store.person("ann")
    assert Denied("already") == await store.open_account("ann", "ann", "other", None, NOON)
    assert Denied("taken") == await store.open_account("bob", "ann", "other", None, NOON)
    assert made == await store.person("ann") and None is await store.account_like("bob")
    assert 0 == (await store.person("bob") or made).generation


async def test_no_guest_has_a_name_like_an_accounts(store: Store) -> None:
    """Neither a new one nor one that was here; the account itself may write it anew, and leave it to others."""
    await guests(store, "ann", "bob")
    await store.open_account("ann", "ann", "hash", None, NOON)
    for other in ("bob", "eve"):
        assert Denied("taken") == await store.change(other, Change("ANN", 5), "ann", NOON)
    assert None is await store.person("eve")
    assert ("Bob", 0) == (lambda person: (person.name, person.avatar))(await store.person("bob") or pytest.fail("bob is gone"))
    assert isinstance(await store.change("ann", Change("ANN"), "ann", NOON), Person)
    assert isinstance(await store.change("ann", Change("Lea"), "lea", NOON), Person)
    assert "ann" == (await store.account_like("lea") or pytest.fail("lea is gone")).guest
    assert isinstance(await store.change("bob", Change("Ann"), "ann", NOON), Person)


async def test_of_many_who_want_a_name_at_once_one_gets_it(store: Store) -> None:
    """And of many upgrades of one guest one is made."""
    names = [f"g{n}" for n in range(8)]
    await guests(store, *names)
    made = await asyncio.gather(*(store.open_account(name, "same", name, None, NOON) for name in names))
    assert 1 == sum(isinstance(each, Person) for each in made) and 7 == made.count(Denied("taken"))
    await guests(store, "ann")
    again = await asyncio.gather(*(store.open_account("ann", "ann", f"hash {n}", None, NOON) for n in range(8)))
    assert 1 == sum(isinstance(each, Person) for each in again) and 7 == again.count(Denied("already"))


async def test_a_session_ends_alone(store: Store) -> None:
    """Its guest is nobody by it, and by every other one as always; the end is forgotten when the cookies are too old anyway."""
    await guests(store, "ann")
    ann = await store.person("ann")
    assert ann == await store.visitor("ann", "s1") and None is await store.visitor("eve", "s1")
    for _ in range(2):
        await store.end_session("s1", NOON + 100, NOON)
    assert Denied("ended") == await store.visitor("ann", "s1") == await store.visitor("eve", "s1")
    assert ann == await store.visitor("ann", "s2")
    assert {"s1"} == await store.ended(["s1", "s2"]) and set() == await store.ended([])
    await store.end_session("s2", NOON + 900, NOON + 101)
    assert {"s2"} == await store.ended(["s1", "s2"])


async def test_sessions_end_with_a_new_password(store: Store) -> None:
    """The generation rises, unless the password stays the same and only its hash is new."""
    await guests(store, "ann", "bob")
    await store.open_account("ann", "ann", "hash", None, NOON)
    made = await store.set_password("ann", "other")
    assert isinstance(made, Person) and (2, "other") == (made.generation, made.password)
    same = await store.set_password("ann", "anew", ends_sessions=False)
    assert isinstance(same, Person) and (2, "anew") == (same.generation, same.password)
    ended = await store.end_sessions("bob")
    assert isinstance(ended, Person) and 1 == ended.generation
    assert {"ann": 2, "bob": 1} == await store.generations(["ann", "bob", "eve"]) and {} == await store.generations([])
    assert Denied("none") == await store.set_password("bob", "hash") == await store.end_sessions("eve")


async def test_passkeys_come_and_go(store: Store) -> None:
    """As an account's only way in or further ones; one id is one passkey; the last way in stays."""
    await guests(store, "ann", "bob")
    assert Denied("none") == await store.add_key(key("ann"))
    made = await store.open_account("ann", "ann", None, key("ann"), NOON)
    assert isinstance(made, Person) and made.has_account and made.password is None
    assert [key("ann")] == await store.keys("ann") and key("ann") == await store.key("ann-key")
    assert Denied("already") == await store.open_account("bob", "bob", None, key("ann"), NOON)
    assert not (await store.person("bob") or made).has_account
    assert Denied("last") == await store.drop_key("ann", "ann-key")
    assert isinstance(await store.add_key(replace(key("ann", "two"), created=NOON + 1)), Person)
    assert Denied("already") == await store.add_key(key("ann", "two"))
    assert Denied("none") == await store.drop_key("bob", "ann-key") == await store.drop_key("ann", "nothing")
    assert await store.use_key("ann-two", 7, NOON + 4, NOON + 5)
    assert not await store.use_key("ann-two", 6, NOON + 6, NOON + 6)
    assert not await store.use_key("ann-two", 8, NOON + 5, NOON + 6)
    assert not await store.use_key("nothing", 8, NOON + 5, NOON + 6)
    assert (7, NOON + 5) == (lambda found: (found.count, found.used))(await store.key("ann-two") or pytest.fail("it is gone"))
    assert isinstance(await store.drop_key("ann", "ann-key"), Person)
    assert ["ann-two"] == [each.id for each in await store.keys("ann")]
    for n in range(PASSKEYS_MAX - 1):
        assert isinstance(await store.add_key(key("ann", f"no{n}")), Person)
    assert Denied("full") == await store.add_key(key("ann", "more"))
    await store.set_password("ann", "hash")
    for each in await store.keys("ann"):
        assert isinstance(await store.drop_key("ann", each.id), Person)


async def test_a_finished_game_is_in_each_players_record(store: Store) -> None:
    """Numbered for each player, the newest first, a page at a time; added up by kind of table."""
    staked = Kind(24, 3, True, True, True)
    await play(store, [game("t1", 1, "ann", "bob")])
    await play(store, [game("t1", 2, "ann", "bob", durak=0)], 1)
    await play(store, [game("t1", 3, "ann", "bob", durak=None)], 2)
    await play(store, [game("t2", 1, "bob", "eve", "ann", kind=staked, at=NOON + 7)])
    found = await store.games("ann", None, 10)
    assert [(4, "t2", 1), (3, "t1", 3), (2, "t1", 2), (1, "t1", 1)] == [(each.number, each.table, each.game) for each in found]
    assert Part("ann", 2, 2, False, False, None) == found[0].part and NOON + 7 == found[0].at
    assert ("Bob", "Eve", "Ann") == tuple(player.name for player in found[0].players) and {"deck": 36, "seats": 2} == found[0].options
    assert [3, 2] == [each.number for each in await store.games("ann", 4, 2)]
    assert [1] == [each.number for each in await store.games("eve", None, 10)] and [] == await store.games("zoe", None, 10)
    assert [Score(DUEL, 3, 1, 1, 1), Score(staked, 1, 0, 0, 0)] == await store.scores("ann")
    assert [Score(staked, 1, 0, 1, 0)] == await store.scores("eve")


async def test_a_game_is_written_once_and_with_its_events(store: Store) -> None:
    """Not when the log has moved on, not for a retry, not without coins for it; and never twice."""
    await welcome(store, "ann", "bob")
    first = game("t1", 1, "ann", "bob")
    opening = stakes("t1/1", ["ann", "bob"], 100, NOON, TERMS)
    assert Appended() == await store.append("t1", 0, row(1, "a"), None, [opening])
    assert Conflict() == await store.append("t1", 0, row(1), None, [], [first])
    assert Conflict() == await store.append("t1", 5, row(6), None, [], [first])
    assert Doubled(1) == await store.append("t1", 1, [Row(2, NOON, b"x", "a")], None, [], [first])
    assert [] == await store.games("ann", None, 10) == await store.scores("ann")
    end = settle("t1/1", ["ann", "bob"], 100, "linear", [0], 1, NOON)
    both = await asyncio.gather(*(store.append("t1", 1, row(2), None, [end], [first]) for _ in range(2)))
    assert 1 == both.count(Appended()) and 1 == both.count(Conflict())
    assert Appended() == await store.append("t1", 2, row(3), None, [], [first])
    assert [1] == [each.number for each in await store.games("ann", None, 10)] and 1 == (await store.scores("bob"))[0].games
    assert 1100 == await store.balance("ann")


async def test_many_games_at_once_are_numbered_without_a_gap(store: Store) -> None:
    """One player at forty tables."""
    await asyncio.gather(*(play(store, [game(f"t{n}", 1, "ann", f"bob{n}")]) for n in range(40)))
    assert list(range(40, 0, -1)) == [each.number for each in await store.games("ann", None, 50)]
    assert 40 == (await store.scores("ann"))[0].games


async def test_a_series_stands_as_after_its_last_game(store: Store) -> None:
    """One line for each player, whose score changes; another series is another line (R12)."""

    def score(first: int, games: int, over: bool = False) -> SeriesScore:
        return SeriesScore(first, games, 2, (games, 0), (0, games), (0, 1), over)

    await play(store, [game("t1", 1, "ann", "bob", series=score(1, 1))])
    await play(store, [game("t1", 2, "ann", "bob", series=score(1, 2, True), at=NOON + 4)], 1)
    await play(store, [game("t1", 3, "ann", "bob", series=score(3, 1))], 2)
    second, first = await store.series("bob", None, 10)
    assert (1, "t1", NOON + 4, 1, score(1, 2, True)) == (first.number, first.table, first.at, first.seat, first.score)
    assert (2, score(3, 1)) == (second.number, second.score)
    assert [first] == await store.series("bob", 2, 10) and [] == await store.series("eve", None, 10)


async def test_blocks_are_ones_own(store: Store) -> None:
    """Twice is once; the other one blocks nobody by it; so many, and no more."""
    await guests(store, "ann", "bob", "eve")
    assert None is await store.block("ann", "bob", NOON) is await store.block("ann", "bob", NOON + 1)
    await store.block("ann", "eve", NOON + 2)
    await store.block("eve", "bob", NOON)
    assert ["eve", "bob"] == [each.guest for each in await store.blocked("ann")]
    assert {"ann", "eve"} == await store.blockers("bob") and {"eve"} == await store.blockers("bob", ["eve", "bob"])
    assert set() == await store.blockers("ann") == await store.blockers("bob", [])
    await store.unblock("ann", "bob")
    await store.unblock("ann", "nobody")
    assert {"eve"} == await store.blockers("bob") and ["eve"] == [each.guest for each in await store.blocked("ann")]
    for n in range(BLOCKS_MAX - 1):
        assert None is await store.block("ann", f"other {n}", NOON)
    assert Denied("full") == await store.block("ann", "bob", NOON) and None is await store.block("ann", "eve", NOON)


async def test_reports_are_kept_in_their_order(store: Store) -> None:
    """Numbered from 1, whatever number they came with."""
    first = Report(7, NOON, "t1", 2, "ann", "bob", "name", "")
    assert [1, 2] == [await store.report(first), await store.report(replace(first, reason="other", words="слова"))]
    assert [replace(first, number=2, reason="other", words="слова")] == list(await store.reports(1))
    assert [2, 1] == [each.number for each in await store.reports(10)]


async def test_an_operators_acts_are_kept_and_a_mute_ends(store: Office) -> None:
    """Each act is listed with what was said about it, the newest first; whoever is muted is so until the moment that was set."""
    acts = [Act(0, NOON, "192.0.2.1", "login", "", ""), Act(0, NOON + 1, "2001:db8::", "mute", "public", "rude, «twice»")]
    assert 1 == await store.act(acts[0])
    await store.mute("ann", NOON + 1000, acts[1])
    await store.mute("ben", NOON + 500, replace(acts[1], about="other"))
    assert {"ann": NOON + 1000, "ben": NOON + 500} == await store.mutes(NOON)
    assert {"ann": NOON + 1000} == await store.mutes(NOON + 500)
    await store.mute("ann", 0, Act(0, NOON + 2, "192.0.2.1", "unmute", "public", ""))
    assert {"ben": NOON + 500} == await store.mutes(NOON)
    assert [(4, "unmute"), (3, "mute"), (2, "mute"), (1, "login")] == [(act.number, act.what) for act in await store.acts(10)]
    assert [replace(acts[1], number=2), replace(acts[0], number=1)] == list(await store.acts(10))[2:]
    assert 1 == len(await store.acts(1))


@pytest.mark.parametrize("text", ["\0", "a\0b", "a" * 5000])
async def test_nobody_is_found_by_what_no_name_and_no_id_can_be(store: Store, text: str) -> None:
    """Strangers may ask for anything: the answer is that there is none, whichever database it is."""
    await guests(store, "ann")
    assert (None, None, None, None) == (
        await store.person(text), await store.person_called(text), await store.account_like(text), await store.key(text)
    )  # fmt: skip
    assert (None, None) == (await store.load(text), await store.find(text, text))
    assert (set(), set()) == (await store.blockers("ann", [text]), await store.ended([text]))
