"""People over HTTP: who asks, what they are called, whom they have blocked, what they report."""
from __future__ import annotations

import asyncio

from aiohttp import web

from kozyr.app import names
from kozyr.app.lookalikes import skeleton
from kozyr.app.people import Change, Denied, Person, Report
from kozyr.app.table import Table
from kozyr.web.guard import Handler, Refused, answer
from kozyr.web.sessions import SESSION
from kozyr.web.site import SITE, Route, Site, allowed, body_of
from kozyr.wire import people as wire

GUEST_NAME = "Guest"
LATER_S = 0.5
"""Sockets of sessions that have ended are cut a moment later, so that the browser that ended them has its new cookie by then."""

BODY_S = 20
"""So long a body may take to come."""

TOGETHER = 500
"""So many sessions are looked at in one question."""

PERSON: web.RequestKey[Person] = web.RequestKey("person", Person)
"""Who asks; not there for a stranger."""


@web.middleware
async def recognised(request: web.Request, handler: Handler) -> web.StreamResponse:
    """
    Find out who asks, unless it is only for a file of the client.

    The body is read before: whoever is slow with it is asked for when it is there, and not by a session that has ended meanwhile.
    """
    if request.can_read_body:
        await whole_body(request)
    if request.path.startswith(("/api/", "/ws/")):
        site = request.app[SITE]
        session = site.sessions.read(request)
        if session is not None:
            person = await site.guests.visitor(session.guest, session.name)
            if person is None or (isinstance(person, Person) and person.generation == session.generation):
                request[SESSION] = session
                if person is not None:
                    request[PERSON] = person
    return await handler(request)


async def whole_body(request: web.Request) -> None:
    """
    Read a body, which the request then keeps.

    Raises: Refused for one that does not come.
    """
    try:
        async with asyncio.timeout(BODY_S):
            await request.read()
    except TimeoutError:
        raise Refused(400, "bad_body", "slow") from None


async def show_me(request: web.Request) -> web.Response:
    """Say who asks."""
    allowed(request, request.app[SITE].allowances.looking)
    return answer(await me_of(request.app[SITE], request.get(PERSON)))


async def change_me(request: web.Request) -> web.Response:
    """Change name, picture or language; a stranger becomes a guest by it."""
    site = request.app[SITE]
    asked = await body_of(request, wire.decode_change_me)
    allowed(request, site.allowances.changing)
    person = await changed(request, Change(None if asked.name is None else name_of(asked.name), asked.avatar, asked.language))
    response = answer(await me_of(site, person))
    # With the session's own generation: what has ended all sessions meanwhile has ended this one.
    site.sessions.keep(response, request, person.guest)
    return response


async def told(request: web.Request, person: Person, status: int = 200) -> web.Response:
    """Tell people who have just shown who they are, with their new cookie."""
    site = request.app[SITE]
    response = answer(await me_of(site, person), status)
    site.sessions.keep(response, request, person.guest, person.generation)
    if person.has_account:
        site.tries.know(response, request, person, site.sessions.new_name())
    return response


async def me_of(site: Site, person: Person | None) -> wire.Me:
    """Write who somebody is, for themselves."""
    if person is None:
        return wire.Me()
    coins = None if site.ledger is None else await site.ledger.balance(person.guest)
    keys = await site.guests.keys(person.guest) if person.has_account else []
    return wire.Me(
        id=person.public,
        name=person.name,
        avatar=person.avatar,
        language=person.language,
        coins=coins,
        account=person.has_account,
        login=person.name if person.has_account else None,
        password=person.password is not None,
        passkeys=[wire.Passkey(key.id, key.name, key.created, key.used) for key in keys],
    )


def name_of(text: str) -> str:
    """
    Read a name that somebody has written.

    Raises: Refused.
    """
    try:
        return names.parse_name(text)
    except names.BadName as error:
        raise Refused(422, "bad_name", error.about) from None


async def changed(request: web.Request, change: Change) -> Person:
    """
    Change who asks, a new guest for a stranger.

    Raises: Refused for a name that looks like an account's, or a name that no account may have.
    """
    site = request.app[SITE]
    before, avatar = request.get(PERSON), change.avatar
    guest = site.sessions.guest_of(request) or site.sessions.new_guest()
    if before is None and change.name is None:
        change = Change(GUEST_NAME, change.avatar, change.language)
    elif before is not None and change.name == before.name:
        change = Change(None, change.avatar, change.language)
    if before is not None and before.has_account and change.name is not None and names.is_no_name(change.name):
        raise Refused(422, "bad_name", "reserved")
    look = None if change.name is None or change.name == GUEST_NAME else skeleton(change.name)
    outcome = await site.guests.change(guest, change, look, site.clock.now())
    if isinstance(outcome, Denied):
        raise Refused(409, "name_taken")
    request[PERSON] = outcome
    if before is not None and avatar is not None and avatar != before.avatar:
        site.elsewhere.redress(guest, avatar)
    return outcome


async def shown_name(site: Site, person: Person | None) -> str:
    """Say what a guest who asks for no name is called at a table: as before, unless that has become an account's name meanwhile."""
    if person is None or not person.name:
        return GUEST_NAME
    owner = None if person.has_account else await site.guests.account_like(skeleton(person.name))
    return person.name if owner is None else GUEST_NAME


def guest_who_asks(request: web.Request) -> Person:
    """
    Name the guest who asks.

    Raises: Refused for a stranger.
    """
    person: Person | None = request.get(PERSON)
    if person is None:
        raise Refused(401, "no_guest")
    return person


async def player_asked_for(request: web.Request) -> Person:
    """Return the player of the path, or refuse."""
    player = await request.app[SITE].guests.person_called(request.match_info["player"])
    if player is None:
        raise Refused(404, "no_player", request.match_info["player"][:40])
    return player


async def show_blocks(request: web.Request) -> web.Response:
    """Show who asks whom they have blocked; a stranger has blocked nobody."""
    allowed(request, request.app[SITE].allowances.looking)
    return answer(await blocks_of(request))


async def block(request: web.Request) -> web.Response:
    """Block a player."""
    site, person = request.app[SITE], guest_who_asks(request)
    allowed(request, site.allowances.changing)
    player = await player_asked_for(request)
    if player.guest == person.guest:
        raise Refused(409, "already")
    if await site.guests.block(person.guest, player.guest, site.clock.now()) is not None:
        raise Refused(409, "too_many")
    return answer(await blocks_of(request))


async def unblock(request: web.Request) -> web.Response:
    """Block a player no longer."""
    site, person = request.app[SITE], guest_who_asks(request)
    allowed(request, site.allowances.changing)
    await site.guests.unblock(person.guest, (await player_asked_for(request)).guest)
    return answer(await blocks_of(request))


async def blocks_of(request: web.Request) -> wire.Blocks:
    """Write whom somebody has blocked."""
    person = request.get(PERSON)
    found = [] if person is None else await request.app[SITE].guests.blocked(person.guest)
    return wire.Blocks([wire.BlockedPlayer(each.public, each.name, each.avatar) for each in found])


async def keep_away(request: web.Request, table: Table) -> None:
    """
    Let nobody sit down with people who have blocked them; it is not said who they are.

    Raises: Refused.
    """
    guest = request.app[SITE].sessions.guest_of(request)
    if guest is not None and await is_kept_away(request.app[SITE], guest, table):
        raise Refused(403, "blocked")


async def is_kept_away(site: Site, guest: str, table: Table) -> bool:
    """Whether somebody at a table has blocked a guest."""
    seated = (player.guest for player in table.players if player is not None and player.guest is not None)
    others = [other for other in seated if other != guest]
    return bool(others) and bool(await site.guests.blockers(guest, others))


async def report(request: web.Request) -> web.Response:
    """Tell the operator about the player of a seat."""
    site, person = request.app[SITE], guest_who_asks(request)
    asked = await body_of(request, wire.decode_new_report)
    allowed(request, site.allowances.reporting)
    live = await site.tables.get(asked.table)
    if live is None:
        raise Refused(404, "no_table", asked.table)
    table = live.table
    player = table.players[asked.seat] if asked.seat < table.rules.seats else None
    if player is None or player.guest is None or player.guest == person.guest:
        raise Refused(404, "no_player", str(asked.seat))
    # Bytes that are no text, and what would write on the operator's screen, are not kept.
    words = "".join(letter if letter.isprintable() else " " for letter in asked.words)
    game = 0 if table.game is None else table.game.number
    told = Report(0, site.clock.now(), table.id, game, person.guest, player.guest, asked.reason, words)
    return answer(wire.Reported(await site.guests.report(told)), 201)


def cut_sessions(site: Site, person: Person) -> None:
    """Cut the sockets of a guest's sessions that have ended; those of this browser come back with its new cookie."""

    def cut() -> None:
        for connection in site.connections():
            if connection.guest == person.guest and connection.generation < person.generation:
                connection.drop()

    asyncio.get_running_loop().call_later(LATER_S, cut)


async def cut_ended(site: Site) -> None:
    """Cut the sockets whose sessions have been ended, by whichever process."""
    opened = [(connection.guest, connection) for connection in site.connections() if connection.guest is not None]
    for start in range(0, len(opened), TOGETHER):
        some = opened[start : start + TOGETHER]
        now = await site.guests.generations({guest for guest, _ in some})
        ended = await site.guests.ended({connection.session for _, connection in some})
        for guest, connection in some:
            if connection.session in ended or now.get(guest, connection.generation) != connection.generation:
                connection.drop()


PLAYER = r"{player:[a-z2-7]{1,40}}"

ROUTES = (
    Route("GET", "/api/me", show_me, "Who asks", wire.Me, problems={429: "not_so_fast"}),
    Route(
        "PATCH", "/api/me", change_me, "Change one's name, picture or language", wire.Me, 200, wire.ChangeMe,
        {400: "bad_body", 403: "bad_origin", 409: "name_taken", 413: "too_big", 415: "bad_type", 422: "bad_name", 429: "not_so_fast"},
    ),
    Route("GET", "/api/blocks", show_blocks, "Whom one has blocked", wire.Blocks, problems={429: "not_so_fast"}),
    Route(
        "PUT", f"/api/blocks/{PLAYER}", block, "Block a player", wire.Blocks,
        problems={401: "no_guest", 403: "bad_origin", 404: "no_player", 409: "already, too_many", 429: "not_so_fast"},
    ),
    Route(
        "DELETE", f"/api/blocks/{PLAYER}", unblock, "Block a player no longer", wire.Blocks,
        problems={401: "no_guest", 403: "bad_origin", 404: "no_player", 429: "not_so_fast"},
    ),
    Route(
        "POST", "/api/reports", report, "Tell the operator about the player of a seat", wire.Reported, 201, wire.NewReport,
        {400: "bad_body", 401: "no_guest", 403: "bad_origin", 404: "no_table, no_player", 413: "too_big", 415: "bad_type",
         429: "not_so_fast"},
    ),
)  # fmt: skip
