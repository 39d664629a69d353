"""The HTTP interface: what each path does, and what it is described as."""
from __future__ import annotations

import asyncio
import logging

import msgspec
from aiohttp import web

import kozyr
from kozyr.app.commands import Done, Leave, Redress, Refusal, Sit
from kozyr.app.events import PERSON, Player
from kozyr.app.live import LiveTable
from kozyr.app.people import Change
from kozyr.app.ports import Unwritable
from kozyr.app.records import NotOver, finished_game
from kozyr.core import FORM
from kozyr.core.record import format_game
from kozyr.ledger import opening_grant
from kozyr.web import accounts, new_table, openapi, passwords, people, profiles, translate
from kozyr.web.allowances import address_of
from kozyr.web.audience import delay_of, presence_of
from kozyr.web.connection import Connection, forget_request
from kozyr.web.guard import Refused, answer, shown
from kozyr.web.health import add_health
from kozyr.web.operator import add_operator
from kozyr.web.sessions import SESSION
from kozyr.web.site import SITE, Route, allowed, body_of
from kozyr.web.socket import CLOSE_FAILED, CLOSE_FINAL, Conversation
from kozyr.wire import http
from kozyr.wire import lobby as lobby_wire
from kozyr.wire import messages as wire

log = logging.getLogger(__name__)

COIN_LINES = 50
"""So many postings are on a page."""


async def health(request: web.Request) -> web.Response:
    """Say that the server answers."""
    return answer(http.Health(True, kozyr.__version__, FORM, len(request.app[SITE].tables)))


async def options(request: web.Request) -> web.Response:
    """List presets, options and their values."""
    return answer(new_table.choices())


async def open_table(request: web.Request) -> web.Response:
    """Open a table; a stranger becomes a guest by it."""
    site = request.app[SITE]
    new = await body_of(request, http.decode_new_table)
    allowed(request, site.allowances.creating)
    rules = new_table.rules_of(new)
    if not new.private:
        # The lobby has room for so many: nobody fills it alone.
        allowed(request, site.allowances.listing)
    name = None if new.name is None else people.name_of(new.name)
    new_table.players_of(new, rules, Player("", PERSON))
    me = await player_of(request, name)
    players = new_table.players_of(new, rules, me)
    await afford(request, guest_of(me), rules.stake)
    password = None if new.password is None else await passwords.keep(new.password, site.entropy.draw(passwords.SALT_BYTES))
    live = await site.tables.open(rules, players, new.private, password)
    table_id = live.table.id
    response = answer(http.TableOpened(table_id, 0, socket_path(request, table_id), f"/t/{table_id}"), 201)
    site.sessions.keep(response, request, guest_of(me))
    return response


async def join_table(request: web.Request) -> web.Response:
    """Take a seat; a stranger becomes a guest by it, and whoever sits here already keeps the seat."""
    site = request.app[SITE]
    asked = await body_of(request, http.decode_join_table)
    allowed(request, site.allowances.joining)
    live = await found(request)
    name = None if asked.name is None else people.name_of(asked.name)
    guest = site.sessions.guest_of(request)
    seat = live.table.seat_of(guest)
    if seat is None:
        await admit(request, live, asked.password)
        await people.keep_away(request, live.table)
        me = await player_of(request, name)
        guest = guest_of(me)
        await afford(request, guest, live.table.rules.stake)
        outcome = await live.handle(Sit(me, asked.seat))
        seat = live.table.seat_of(guest)
        if seat is None:
            assert isinstance(outcome, Refusal)
            raise Refused(409, outcome.code, outcome.about)
        if isinstance(outcome, Done) and await people.is_kept_away(site, guest, live.table):
            # Blocked, or sat down beside, while this request was under way.
            await live.handle(Leave(seat), guest)
            raise Refused(403, "blocked")
    response = answer(http.Joined(live.table.id, seat, socket_path(request, live.table.id)))
    assert guest is not None
    site.sessions.keep(response, request, guest)
    return response


async def admit(request: web.Request, live: LiveTable, password: str | None) -> None:
    """Let nobody sit down without the table's password, nor try many."""
    kept = live.table.password
    if kept is None:
        return
    if password is None:
        raise Refused(403, "wrong_password")
    allowed(request, request.app[SITE].allowances.guessing, live.table.id)
    if not await passwords.fits(password, kept):
        raise Refused(403, "wrong_password")


async def afford(request: web.Request, guest: str, stake: int) -> None:
    """
    Let nobody sit down at a staked table who cannot pay for a game now; whether they still can is judged when it starts (R15.2).

    A guest's first staked table gives the coins to begin with.
    """
    site = request.app[SITE]
    if not stake:
        return
    if site.ledger is None:
        raise Refused(409, "unpaid")
    coins = await site.ledger.balance(guest)
    if coins is None:
        await site.ledger.book(opening_grant(guest, address_of(request), site.clock.now(), site.terms))
        coins = await site.ledger.balance(guest)
    elif coins < stake:
        await site.ledger.refill(guest, site.terms.floor, site.clock.now())
        coins = await site.ledger.balance(guest)
    if coins is None or coins < stake:
        raise Refused(409, "unpaid")


async def player_of(request: web.Request, name: str | None) -> Player:
    """Say who sits down: the guest who asks, by another name if one is given; a stranger becomes a guest by it."""
    person = request.get(people.PERSON)
    if name is not None or person is None:
        person = await people.changed(request, Change(name))
    return Player(await people.shown_name(request.app[SITE], person), PERSON, guest=person.guest, avatar=person.avatar)


def guest_of(player: Player) -> str:
    """Name the guest who sits down."""
    assert player.guest is not None
    return player.guest


async def list_tables(request: web.Request) -> web.Response:
    """List the open tables that pass the filter of the query."""
    allowed(request, request.app[SITE].allowances.looking)
    try:
        asked = msgspec.convert(dict(request.query), lobby_wire.Filter, strict=False)
    except msgspec.ValidationError as error:
        raise Refused(400, "bad_body", str(error)) from None
    return answer(lobby_wire.Tables(request.app[SITE].lobby.listed(asked)))


async def show_table(request: web.Request) -> web.Response:
    """Say what a table is."""
    site = request.app[SITE]
    live = await found(request)
    table = live.table
    seen = translate.table_of(table, presence_of(live, site.clock.now()))
    seat = table.seat_of(site.sessions.guest_of(request))
    # Who sees a game later is not told by its count of events what happens in it now.
    is_later = seat is None and delay_of(table) > 0 and table.is_running
    return answer(
        http.TableCard(
            table.id, seen.options, seen.players, seen.game, seen.stage, 0 if is_later else table.seq, socket_path(request, table.id), seat,
            seen.private, seen.password, seen.host,
        )
    )  # fmt: skip


async def show_coins(request: web.Request) -> web.Response:
    """Show a guest's own coins, with every posting; a stranger has none."""
    site = request.app[SITE]
    allowed(request, site.allowances.looking)
    guest, before = site.sessions.guest_of(request), request.query.get("before")
    if before is not None and not (before.isascii() and before.isdigit() and len(before) < 16):
        raise Refused(400, "bad_body", "before")
    if guest is None or site.ledger is None:
        return answer(http.Coins())
    lines = await site.ledger.history(guest, None if before is None else int(before), COIN_LINES)
    written = [http.CoinLine(line.number, line.at, str(line.kind), line.coins, line.balance, line.game) for line in lines]
    return answer(http.Coins(await site.ledger.balance(guest), written))


async def show_game(request: web.Request) -> web.Response:
    """Hand out the record of a finished game."""
    site = request.app[SITE]
    # The whole log of the table is read for it.
    allowed(request, site.allowances.looking)
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
    allowed(request, site.allowances.connecting)
    # Twice the limit, so that a message above it can be answered rather than only cut off.
    socket = web.WebSocketResponse(max_msg_size=2 * wire.SIZE_MAX, compress=False, decode_text=True)
    if not socket.can_prepare(request).ok:
        raise Refused(400, "bad_body", "websocket")
    await socket.prepare(request)
    # They have been sent, and would be kept for as long as somebody looks at the table.
    socket.headers.clear()
    table_id = request.match_info["table"]
    with site.places.one(address_of(request)) as has_place:
        if not has_place:
            return await crowded(socket)
        try:
            await converse(request, socket, table_id)
        except Unwritable:
            # That has been said, and would be said with every move.
            await socket.close(code=CLOSE_FAILED)
        except Exception:  # the process's edge: one conversation ends, and its client comes back
            log.exception("a conversation failed", extra={"table": shown(table_id)})
            await socket.close(code=CLOSE_FAILED)
    return socket


async def crowded(socket: web.WebSocketResponse) -> web.WebSocketResponse:
    """Say that an address has as many websockets as it may; a browser cannot read why one was not opened at all."""
    await socket.send_str(wire.encode(wire.Fault("crowded")).decode())
    await socket.close(code=CLOSE_FINAL)
    return socket


async def converse(request: web.Request, socket: web.WebSocketResponse, table_id: str) -> None:
    """Talk about a table over a websocket, if there is such a table."""
    site = request.app[SITE]
    live = await site.tables.get(table_id)
    if live is None:
        await socket.send_str(wire.encode(wire.Fault("no_table")).decode())
        await socket.close(code=CLOSE_FINAL)
        return
    transport = request.transport
    if transport is None:
        return
    guest = site.sessions.guest_of(request)
    connection = Connection(socket, transport, live.table.seat_of(guest), asyncio.get_running_loop().time(), guest)
    session = request.get(SESSION)
    if session is not None:
        connection.generation, connection.session = session.generation, session.name
    await redress(request, live)
    forget_request(request)
    await Conversation(site.tables, site.audiences, site.phrases, site.clock, live.table.id, connection).run(socket)


async def redress(request: web.Request, live: LiveTable) -> None:
    """Show a player's picture as it is now: it may have been chosen while the table was in no process's memory."""
    person = request.get(people.PERSON)
    seat = None if person is None else live.table.seat_of(person.guest)
    player = None if seat is None else live.table.players[seat]
    if person is not None and player is not None and player.avatar != person.avatar:
        await live.handle(Redress(seat, person.avatar), person.guest)


async def lobby_socket(request: web.Request) -> web.StreamResponse:
    """Show the open tables over a websocket, and how they change."""
    site = request.app[SITE]
    allowed(request, site.allowances.connecting)
    socket = web.WebSocketResponse(max_msg_size=2 * wire.SIZE_MAX, compress=False, decode_text=True)
    if not socket.can_prepare(request).ok:
        raise Refused(400, "bad_body", "websocket")
    await socket.prepare(request)
    with site.places.one(address_of(request)) as has_place:
        if not has_place:
            return await crowded(socket)
        if request.transport is not None:
            await site.lobby.talk(socket, Connection(socket, request.transport, None, asyncio.get_running_loop().time()))
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


async def nothing_there(request: web.Request) -> web.Response:
    """Refuse a path of the interface that there is not; one that is there for other methods names them."""
    methods: set[str] = set()
    for resource in request.app.router.resources():
        if resource.canonical not in EVERYTHING:
            methods |= (await resource.resolve(request))[1]
    if methods:
        raise web.HTTPMethodNotAllowed(request.method, methods)
    raise Refused(404, "no_page", shown(request.path))


async def found(request: web.Request) -> LiveTable:
    """Return the table of the path, or refuse."""
    table_id = request.match_info["table"]
    live = await request.app[SITE].tables.get(table_id)
    if live is None:
        raise Refused(404, "no_table", table_id[:40])
    return live


def socket_path(request: web.Request, table_id: str) -> str:
    """Name the path of a table's websocket, by which a proxy may find the process that has the table in memory."""
    return f"{request.app[SITE].tables.peers.address_of(table_id)}/ws/tables/{table_id}"


TABLE = r"{table:[a-z2-7]{1,40}}"
PROCESS = r"/p/{process:[0-9]{1,4}}"
GAME = r"{game:[0-9]{1,6}}"
EVERYTHING = ("/api/{path}", "/{path}")

API = (
    Route("GET", "/api/health", health, "Whether the server answers", http.Health),
    Route("GET", "/api/options", options, "What the screen for a new table offers", http.Choices),
    Route(
        "POST", "/api/tables", open_table, "Open a table with oneself at seat 0 and bots at the others",
        http.TableOpened, 201, http.NewTable,
        {400: "bad_body", 403: "bad_origin", 409: "unpaid, name_taken", 413: "too_big", 415: "bad_type", 429: "not_so_fast",
         422: "unknown_preset, not_changeable, unknown_option, bad_value, undealable, not_together, bots_at_stake, bad_bots, bad_name"},
    ),
    Route(
        "GET", "/api/tables", list_tables, "The open tables; the query is a filter as that of the lobby's websocket",
        lobby_wire.Tables, problems={400: "bad_body", 429: "not_so_fast"},
    ),
    Route(
        "POST", f"/api/tables/{TABLE}/seats", join_table, "Take a seat", http.Joined, 200, http.JoinTable,
        {400: "bad_body", 403: "bad_origin, wrong_password, blocked", 404: "no_table",
         409: "seat_taken, table_full, table_closed, unpaid, name_taken",
         413: "too_big", 415: "bad_type", 422: "bad_name", 429: "not_so_fast"},
    ),
    Route("GET", f"/api/tables/{TABLE}", show_table, "What anybody may know of a table", http.TableCard, problems={404: "no_table"}),
    Route(
        "GET", f"/api/tables/{TABLE}/games/{GAME}", show_game, "The record of a finished game, as a file for `kozyr verify`",
        problems={404: "no_table, no_game", 409: "not_over", 429: "not_so_fast"},
    ),
    Route(
        "GET", "/api/coins", show_coins, "One's own coins with every posting; `?before=NUMBER` gives the next page",
        http.Coins, problems={400: "bad_body", 429: "not_so_fast"},
    ),
    *people.ROUTES,
    *profiles.ROUTES,
    *accounts.ROUTES,
    Route("GET", "/api/openapi.json", describe, "This description", dict),
)  # fmt: skip


def add_routes(app: web.Application) -> None:
    """Put every path into an application; the client's files come last."""
    for route in API:
        app.router.add_route(route.method, route.path, route.handler)
    add_health(app)
    add_operator(app)
    app.router.add_get("/ws/tables/{table}", table_socket)
    # Whichever process the path names, any of them can answer.
    app.router.add_get(f"{PROCESS}/ws/tables/{{table}}", table_socket)
    app.router.add_get("/ws/lobby", lobby_socket)
    app.router.add_route("*", "/api/{path:.*}", nothing_there)
    app.router.add_get("/{path:.*}", page)
