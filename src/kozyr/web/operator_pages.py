"""The operator's pages as HTML."""
from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from html import escape
from typing import TYPE_CHECKING

import kozyr
from kozyr.app.counts import COUNTS
from kozyr.app.office import Act
from kozyr.app.people import Report, public_id
from kozyr.app.ports import Totals
from kozyr.app.table import Table

if TYPE_CHECKING:
    from kozyr.web.site import Site

STYLE = """
:root { color-scheme: light dark; }
body { font: 15px/1.45 system-ui, sans-serif; max-width: 72rem; margin: 1rem auto; padding: 0 1rem; color: #1d2320; background: #f6f5f1; }
h1 { font-size: 1.4rem; } h2 { font-size: 1.1rem; margin-top: 2rem; }
table { border-collapse: collapse; width: 100%; } th, td { text-align: left; padding: .25rem .6rem; border-bottom: 1px solid #d5d2c8; }
td { vertical-align: top; overflow-wrap: break-word; } form { margin: .6rem 0; } label { display: inline-block; margin: 0 .8rem .4rem 0; }
input, button { font: inherit; padding: .3rem .5rem; } .said { background: #dfead9; padding: .5rem .8rem; } .wrong { background: #f2d9d3; }
.wide { overflow-x: auto; } .wide table:has(th) { min-width: 44rem; }
@media (prefers-color-scheme: dark) { body { color: #e6e4dc; background: #171b19; } th, td { border-color: #39403c; }
.said { background: #24402a; } .wrong { background: #4d2620; } }
"""

CLOSING = "A game that runs has no outcome; stakes go back."


def page(title: str, body: str) -> str:
    """Write a page."""
    return (
        f'<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">'
        f'<title>{escape(title)}</title><link rel="stylesheet" href="/operator/style.css">'
        f"<main><h1>{escape(title)}</h1>{body}</main></html>"
    )


def login(*, wrong: bool) -> str:
    """Write the page that asks for the password."""
    said = '<p class="said wrong" role="alert">That is not the password.</p>' if wrong else ""
    return page(
        "Kozyr: operator",
        f'{said}<form method="post" action="/operator/login"><label>Password '
        '<input type="password" name="password" autocomplete="current-password" required autofocus></label> <button>Log in</button></form>',
    )


def figures(site: Site, connections: int) -> list[tuple[str, str]]:
    """List what the process counts."""
    seconds = COUNTS.acknowledged
    errors = sum(count for code, count in COUNTS.http.items() if code >= 500)
    return [
        ("version", kozyr.__version__),
        ("process", site.running.process or "1"),
        ("tables in memory", str(len(site.tables))),
        ("connections", str(connections)),
        ("moves, since the start", str(COUNTS.moves)),
        ("moves a second, of the last seconds", f"{site.running.moves_per_s:.1f}"),
        ("acknowledgement: half within, 99 of 100 within", f"{seconds.below(0.5) * 1000:g} ms, {seconds.below(0.99) * 1000:g} ms"),
        ("errors: requests, work on the side, stopped tables", f"{errors}, {COUNTS.failures}, {COUNTS.stopped}"),
    ]


def overview(
    said: str,
    token: str,
    counted: Sequence[tuple[str, str]],
    tables: Sequence[Table],
    reports: Sequence[tuple[Report, str, str]],
    mutes: Sequence[tuple[str, int]],
    companies: Sequence[tuple[int, list[str]]],
    totals: Totals | None,
    acts: Sequence[Act],
) -> str:
    """Write the page with everything on it."""
    sums = "" if totals is None else f"<p>With players {totals.with_players}, in pots {totals.in_pots}, sum {totals.sum}.</p>"
    parts = [
        f'<p class="said" role="status">{escape(said[:200])}</p>' if said else "",
        grid((), counted),
        form(token, "logout", "Log out", ""),
        "<h2>Tables, the latest first</h2>",
        grid(("table", "stage", "seq", "stake", "players", "last event"), (row_of(table) for table in tables)),
        form(token, "close", "Close the table", field("table", "Table") + field("words", "Reason"), CLOSING),
        "<h2>Reports</h2>",
        grid(("", "when", "why", "whom", "where", "by", "words"), (report_of(*each) for each in reports)),
        "<h2>Players who may say nothing</h2>",
        grid(("player", "until"), ((name, moment(until)) for name, until in mutes)),
        form(token, "mute", "Mute", field("player", "Player's id") + field("hours", "Hours, 0 to end it") + field("words", "Reason")),
        "<h2>Companies: who plays for coins together today</h2>",
        grid(("games", "players"), ((str(games), ", ".join(names)) for games, names in companies)),
        sums,
        "<h2>What operators did</h2>",
        grid(("", "when", "from", "what", "about", "words"), (act_of(act) for act in acts)),
    ]
    return page("Kozyr: operator", "".join(parts))


def row_of(table: Table) -> tuple[str, ...]:
    """Write a table's line."""
    players = [
        "–" if player is None else player.name + (f" ({public_id(player.guest)})" if player.guest else "") for player in table.players
    ]
    return table.id, table.stage.value, str(table.seq), str(table.rules.stake or ""), ", ".join(players), moment(table.at)


def report_of(told: Report, reported: str, reporter: str) -> tuple[str, ...]:
    """Write a report's line."""
    where = f"{told.table}, game {told.game}" if told.game else told.table
    return str(told.number), moment(told.at), told.reason, reported, where, reporter, told.words


def act_of(act: Act) -> tuple[str, ...]:
    """Write an act's line."""
    return str(act.number), moment(act.at), act.address, act.what, act.about, act.words


def grid(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Write a table of texts."""
    lines = ["".join(f"<td>{escape(cell)}</td>" for cell in row) for row in rows]
    if not lines:
        return "<p>None.</p>"
    head = f"<tr>{''.join(f'<th>{escape(each)}</th>' for each in heads)}</tr>" if heads else ""
    return f'<div class="wide"><table>{head}{"".join(f"<tr>{line}</tr>" for line in lines)}</table></div>'


def form(token: str, action: str, button: str, fields: str, note: str = "") -> str:
    """Write a form that does something."""
    hidden = f'<input type="hidden" name="form" value="{escape(token)}">'
    return f'<form method="post" action="/operator/{action}">{hidden}{fields} <button>{escape(button)}</button> {escape(note)}</form>'


def field(name: str, label: str) -> str:
    """Write a field of a form."""
    is_needed = "" if name == "words" else " required"
    return f'<label>{escape(label)} <input name="{name}" maxlength="200"{is_needed}></label>'


def moment(at: int) -> str:
    """Write a moment, given in milliseconds."""
    return datetime.fromtimestamp(at / 1000, UTC).strftime("%Y-%m-%d %H:%M:%S UTC")
