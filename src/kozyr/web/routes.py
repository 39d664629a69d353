"""The HTTP interface: what each path does, and what it is described as."""
from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any

import msgspec
from aiohttp import web

import kozyr
from kozyr.app.live import LiveTable
from kozyr.app.ports import Clock, EventStore, Guests
from kozyr.app.records import NotOver, finished_game
from kozyr.app.tables import Tables
from kozyr.core import FORM
from kozyr.core.record import format_game
from kozyr.web import new_table, openapi, translate
from kozyr.web.audience import Audiences
from kozyr.web.connection import Connection
from kozyr.web.guard import Refused, answer
from kozyr.web.sessions import Sessions
from kozyr.web.socket import CLOSE_FAILED, CLOSE_FINAL, Conversation
from kozyr.web.static import StaticFiles
from kozyr.wire import http
from kozyr.wire import messages as wire

log = logging.getLogger(__name__)


@dataclass(slots=True)
class Site:
    """Everything that the handlers share."""

    tables: Tables
    store: EventStore
    guests: Guests
    sessions: Sessions
    clock: Clock
    files: StaticFiles
    audiences: Audiences = field(init=False)

    def __post_init__(self) -> None:
        self.audiences = Audiences(self.clock)


SITE: web.AppKey[Site] = web.AppKey("site", Site)


@dataclass(frozen=True, slots=True)
class Route:
    """A path of the interface with its description; `answer` is a type, or None for text."""

    method: str
    path: str
    handler: Callable[[web.Request], Awaitable[web.StreamResponse]]
    summary: str
    answer: Any = None
    status: int = 200
    body: Any = None
    problems: dict[int, str] = field(default_factory=dict)


async def health(request: web.Request) -> web.Response:
    """Say that the server answers."""
    return answer(http.Health(True, kozyr.__version__, FORM, len(request.app[SITE].tables)))


async def options(request: web.Request) -> web.Response:
    """List presets, options and their values."""
    return answer(new_table.choices())


async def open_table(request: web.Request) -> web.Response:
    """Open a table; a stranger becomes a guest by it."""
    site = request.app[SITE]
    if request.content_type != "application/json":
        raise Refused(415, "bad_type", request.content_type)
    try:
        new = http.decode_new_table(await request.read())
    except (msgspec.DecodeError, UnicodeError) as error:
        raise Refused(400, "bad_body", str(error)) from None
    rules = new_table.rules_of(new)
    guest = site.sessions.guest_of(request) or site.sessions.new_guest()
    remembered = await site.guests.name_of(guest)
    name = remembered or new_table.GUEST_NAME if new.name is None else new_table.name_of(new.name)
    players = new_table.players_of(new, rules, guest, name)
    if name != remembered:
        await site.guests.remember(guest, name, site.clock.now())
    live = await site.tables.open(rules, players)
    response = answer(http.TableOpened(live.table.id, 0, socket_path(live.table.id)), 201)
    site.sessions.keep(response, guest, request.secure)
    return response


async def show_table(request: web.Request) -> web.Response:
    """Say what a table is."""
    site = request.app[SITE]
    live = await found(request)
    table = live.table
    seen = translate.table_of(table, site.audiences.here(table.id))
    seat = table.seat_of(site.sessions.guest_of(request))
    return answer(http.TableCard(table.id, seen.options, seen.players, seen.game, seen.stage, table.seq, socket_path(table.id), seat))


async def show_game(request: web.Request) -> web.Response:
    """Hand out the record of a finished game."""
    site = request.app[SITE]
    live = await found(request)
    number = request.match_info["game"]
    tail = await site.store.load(live.table.id)
    assert tail is not None
    try:
        text = format_game(finished_game(live.table.id, tail.rows, int(number)))
    except LookupError:
        raise Refused(404, "no_game", number) from None
    except NotOver:
        raise Refused(409, "not_over", number) from None
    return web.Response(
        text=text,
        content_type="text/plain",
        headers={"Content-Disposition": f'attachment; filename="kozyr-{live.table.id}-{number}.durak"', "Cache-Control": "no-store"},
    )


async def table_socket(request: web.Request) -> web.StreamResponse:
    """Talk over a websocket with a player or a spectator of a table."""
    site = request.app[SITE]
    # Twice the limit, so that a message above it can be answered rather than only cut off.
    socket = web.WebSocketResponse(max_msg_size=2 * wire.SIZE_MAX, compress=False, decode_text=True)
    if not socket.can_prepare(request).ok:
        raise Refused(400, "bad_body", "websocket")
    await socket.prepare(request)
    live = await site.tables.get(request.match_info["table"])
    if live is None:
        await socket.send_str(wire.encode(wire.Fault("no_table")).decode())
        await socket.close(code=CLOSE_FINAL)
        return socket
    transport = request.transport
    if transport is None:
        return socket
    seat = live.table.seat_of(site.sessions.guest_of(request))
    connection = Connection(socket, transport, seat, asyncio.get_running_loop().time())
    try:
        await Conversation(site.tables, site.audiences, site.clock, live.table.id, connection).run(socket)
    except Exception:  # the process's edge: one conversation ends, and its client comes back
        log.exception("a conversation about table %s failed", live.table.id)
        await socket.close(code=CLOSE_FAILED)
    return socket


async def describe(request: web.Request) -> web.Response:
    """Describe the HTTP interface."""
    return answer(openapi.document(API))


async def page(request: web.Request) -> web.Response:
    """Hand out the client: its files, and its one page for every other path."""
    site = request.app[SITE]
    name = request.match_info["path"]
    response = site.files.answer(request, name) if name else None
    if response is None:
        if name.startswith(("api/", "ws/")) or "." in name.rsplit("/", 1)[-1]:
            raise Refused(404, "no_page", f"/{name}"[:100])
        response = site.files.answer(request, "index.html")
    if response is None:
        raise Refused(503, "no_client")
    return response


async def found(request: web.Request) -> LiveTable:
    """Return the table of the path, or refuse."""
    table_id = request.match_info["table"]
    live = await request.app[SITE].tables.get(table_id)
    if live is None:
        raise Refused(404, "no_table", table_id[:40])
    return live


def socket_path(table_id: str) -> str:
    """Name the path of a table's websocket."""
    return f"/ws/tables/{table_id}"


TABLE = r"{table:[a-z2-7]{1,40}}"
GAME = r"{game:[0-9]{1,6}}"

API = (
    Route("GET", "/api/health", health, "Whether the server answers", http.Health),
    Route("GET", "/api/options", options, "What the screen for a new table offers", http.Choices),
    Route(
        "POST", "/api/tables", open_table, "Open a table with oneself at seat 0 and bots at the others",
        http.TableOpened, 201, http.NewTable,
        {400: "bad_body", 403: "bad_origin", 413: "too_big", 415: "bad_type",
         422: "unknown_preset, not_changeable, unknown_option, bad_value, undealable, not_together, bots_at_stake, bad_bots, bad_name"},
    ),
    Route("GET", f"/api/tables/{TABLE}", show_table, "What anybody may know of a table", http.TableCard, problems={404: "no_table"}),
    Route(
        "GET", f"/api/tables/{TABLE}/games/{GAME}", show_game, "The record of a finished game, as a file for `kozyr verify`",
        problems={404: "no_table, no_game", 409: "not_over"},
    ),
    Route("GET", "/api/openapi.json", describe, "This description", dict),
)  # fmt: skip


def add_routes(app: web.Application) -> None:
    """Put every path into an application; the client's files come last."""
    for route in API:
        app.router.add_route(route.method, route.path, route.handler)
    app.router.add_get("/ws/tables/{table}", table_socket)
    app.router.add_get("/{path:.*}", page)
