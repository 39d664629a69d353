"""`kozyr operator`: what whoever runs a server has to look at."""
from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

from cyclopts import Parameter, validators

from kozyr.cli.trouble import Trouble

if TYPE_CHECKING:
    from kozyr.cli.wiring import Store

Lines = Annotated[int, Parameter(validator=validators.Number(gte=1, lte=100_000))]
DAY_S = 86_400


def operator(what: Literal["reports", "companies", "pots", "totals"], /, *, database: str | None = None, most: Lines = 50) -> int:
    """
    Show reports of players, who plays for coins together, stakes of games that run, or the sums of the books.

    Exit code 1: the books do not add up.

    Parameters
    ----------
    what
        reports: what players told about others, the newest first. companies: who has begun games for coins together today, most games
        first. pots: games that are not settled, the oldest first. totals: the books at this moment; their sum is 0.
    database
        The server's file, or postgresql://USER@HOST/NAME. Without it the file in your data folder. The server may be running.
    most
        How many lines.
    """
    from kozyr.cli.serve import place_of, shown
    from kozyr.store.schema import SchemaError

    place = place_of(database)
    if isinstance(place, Path) and not place.is_file():
        raise Trouble(f"there is no database {place}")
    try:
        lines, is_right = asyncio.run(_look(place, SHOWN[what], most))
    except (OSError, SchemaError) as error:
        raise Trouble(f"cannot read {shown(place)}: {error}") from None
    for line in lines:
        print(line)
    return 0 if is_right else 1


Looked = tuple[list[str], bool]


async def _look(place: Path | str, show: Callable[[Store, int], Awaitable[Looked]], most: int) -> Looked:
    if isinstance(place, Path):
        from kozyr.store.sqlite import SqliteStore

        async with SqliteStore(place) as store:
            return await show(store, most)
    from kozyr.store.postgres import PostgresStore

    async with await PostgresStore.open(place) as shared:
        return await show(shared, most)


async def _reports(store: Store, most: int) -> Looked:
    lines = []
    for told in await store.reports(most):
        reported, reporter = await _called(store, [told.reported, told.reporter])
        where = f"table {told.table}" + (f", game {told.game}" if told.game else "")
        words = f": {told.words}" if told.words else ""
        lines.append(f"{told.number}. {moment(told.at)} {told.reason}: {reported}, at {where}, by {reporter}{words}")
    return lines or ["No reports."], True


async def _companies(store: Store, most: int) -> Looked:
    today = int(datetime.now(UTC).timestamp()) // DAY_S
    companies = await store.companies(today, most)
    lines = []
    for company in companies:
        players = ", ".join(await _called(store, company.players))
        lines.append(f"{company.games} game{'' if company.games == 1 else 's'}: {players}")
    return lines or ["Nobody has played for coins today."], True


async def _pots(store: Store, most: int) -> Looked:
    lines = [f"{pot.coins} coins: game {pot.game}, since {moment(pot.at)}" for pot in await store.open_pots(most)]
    return lines or ["No game for coins is unsettled."], True


async def _totals(store: Store, most: int) -> Looked:
    totals = await store.totals()
    lines = [
        f"accounts {totals.accounts}",
        f"entries {totals.entries}",
        f"granted {totals.granted}",
        f"refilled {totals.refilled}",
        f"with players {totals.with_players}",
        f"in pots {totals.in_pots}",
        f"sum {totals.sum}",
    ]
    return lines[:most], totals.sum == 0


async def _called(store: Store, guests: Iterable[str]) -> list[str]:
    """Write guests by name and public id."""
    found = [await store.person(guest) for guest in guests]
    return ["somebody" if person is None else f"{person.name} ({person.public})" for person in found]


def moment(at: int) -> str:
    """Write a moment, given in milliseconds, for reading."""
    return datetime.fromtimestamp(at / 1000, UTC).strftime("%Y-%m-%d %H:%M UTC")


SHOWN = {"reports": _reports, "companies": _companies, "pots": _pots, "totals": _totals}
