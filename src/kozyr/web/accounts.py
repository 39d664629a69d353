"""Accounts over HTTP: passwords, passkeys, logging in and out."""
from __future__ import annotations

from aiohttp import web

from kozyr.app import names
from kozyr.app.lookalikes import skeleton
from kozyr.app.people import Denied, Person
from kozyr.web import argon
from kozyr.web.allowances import address_of
from kozyr.web.guard import Refused, answer
from kozyr.web.passkeys import party_of
from kozyr.web.people import cut_sessions, guest_who_asks, me_of, told
from kozyr.web.sessions import SESSION
from kozyr.web.site import SITE, Route, allowed, body_of
from kozyr.wire import people as wire

KEY_NAME_MAX = 40


async def open_account(request: web.Request) -> web.Response:
    """Make an account of the guest who asks."""
    site, person = request.app[SITE], guest_who_asks(request)
    asked = await body_of(request, wire.decode_new_account)
    allowed(request, site.allowances.accounts)
    look = login_of(person)
    argon.check(asked.password, person.name)
    kept = await site.hasher.keep(asked.password)
    outcome = await site.guests.open_account(person.guest, look, kept, None, site.clock.now())
    return await opened(request, outcome)


def login_of(person: Person) -> str:
    """
    Say how a guest's name looks who wants an account.

    Raises: Refused for who has one, or whose name is none to log in with.
    """
    if person.has_account:
        raise Refused(409, "already")
    if names.is_no_name(person.name):
        raise Refused(422, "bad_name", "reserved")
    about = names.fault_of(person.name)
    if about is not None:
        raise Refused(422, "bad_name", about)
    return skeleton(person.name)


async def opened(request: web.Request, outcome: Person | Denied) -> web.Response:
    """Tell somebody that their account is there; or why it is not."""
    if isinstance(outcome, Denied):
        raise Refused(*DENIED[outcome.why])
    cut_sessions(request.app[SITE], outcome)
    return await told(request, outcome, 201)


DENIED = {
    "taken": (409, "name_taken"),
    "already": (409, "already"),
    "none": (409, "no_account"),
    "full": (409, "too_many"),
    "last": (409, "last_way_in"),
}
"""How it is told that the store has written nothing."""


async def change_password(request: web.Request) -> web.Response:
    """Change the password of the account that asks, or give it one; every other browser is logged out."""
    site, person = request.app[SITE], guest_who_asks(request)
    asked = await body_of(request, wire.decode_new_password)
    allowed(request, site.allowances.logging_in)
    if not person.has_account:
        raise Refused(409, "no_account")
    if person.password is not None:
        allowed(request, site.allowances.guessing, person.guest)
        if asked.old is None or not await site.hasher.fits(asked.old, person.password):
            raise Refused(403, "wrong_login")
    argon.check(asked.new, person.name)
    outcome = await site.guests.set_password(person.guest, await site.hasher.keep(asked.new))
    if isinstance(outcome, Denied):
        raise Refused(*DENIED[outcome.why])
    cut_sessions(site, outcome)
    return await told(request, outcome)


async def login(request: web.Request) -> web.Response:
    """Log in with a name and a password."""
    site = request.app[SITE]
    asked = await body_of(request, wire.decode_login)
    allowed(request, site.allowances.logging_in)
    look = skeleton(asked.name)
    person = await site.guests.account_like(look)
    tried = site.tries.begin(request, look, person, address_of(request), site.clock.now())
    if tried is None:
        raise Refused(429, "not_so_fast")
    kept = None if person is None else person.password
    if not await site.hasher.fits(asked.password, kept) or person is None or kept is None:
        raise Refused(401, "wrong_login")
    tried.right()
    if site.hasher.is_old(kept):
        await site.guests.set_password(person.guest, await site.hasher.keep(asked.password), ends_sessions=False)
    return await told(request, person)


async def logout(request: web.Request) -> web.Response:
    """Log this browser out, or every browser of the guest who asks; a copy of the cookie is worth nothing then."""
    site = request.app[SITE]
    asked = await body_of(request, wire.decode_logout)
    session = request.get(SESSION)
    if session is not None:
        now = site.clock.now()
        await site.guests.end_session(session.name, site.sessions.end_of(now), now)
        site.elsewhere.end_session(session.name)
    if session is not None and asked.everywhere:
        outcome = await site.guests.end_sessions(session.guest)
        if not isinstance(outcome, Denied):
            cut_sessions(site, outcome)
    response = answer(wire.Me())
    site.sessions.forget(response, request)
    return response


async def ask_passkey(request: web.Request) -> web.Response:
    """Begin to add a passkey to the guest who asks."""
    site, person = request.app[SITE], guest_who_asks(request)
    allowed(request, site.allowances.logging_in)
    party = party_of(request)
    if not person.has_account:
        owner = await site.guests.account_like(login_of(person))
        if owner is not None:
            raise Refused(409, "name_taken")
    known = await site.guests.keys(person.guest)
    return answer(wire.PasskeyOptions(await site.passkeys.ask_new(party, person, known)))


async def add_passkey(request: web.Request) -> web.Response:
    """Add a passkey to the guest who asks, who has an account by it."""
    site, person = request.app[SITE], guest_who_asks(request)
    asked = await body_of(request, wire.decode_new_passkey)
    allowed(request, site.allowances.accounts)
    party = party_of(request)
    key = await site.passkeys.check_new(party, person, asked.credential, key_name(asked.name))
    if person.has_account:
        outcome = await site.guests.add_key(key)
        if isinstance(outcome, Denied):
            raise Refused(*DENIED[outcome.why])
        return await told(request, outcome, 201)
    look = login_of(person)
    return await opened(request, await site.guests.open_account(person.guest, look, None, key, site.clock.now()))


def key_name(text: str) -> str:
    """Tidy what somebody calls a passkey."""
    return " ".join("".join(letter if letter.isprintable() else " " for letter in text).split())[:KEY_NAME_MAX]


async def drop_passkey(request: web.Request) -> web.Response:
    """Take a passkey from the account that asks."""
    site, person = request.app[SITE], guest_who_asks(request)
    allowed(request, site.allowances.changing)
    outcome = await site.guests.drop_key(person.guest, request.match_info["key"])
    if isinstance(outcome, Denied):
        raise Refused(404, "no_passkey") if outcome.why == "none" else Refused(*DENIED[outcome.why])
    return answer(await me_of(site, outcome))


async def ask_login(request: web.Request) -> web.Response:
    """Begin to log in with a passkey."""
    site = request.app[SITE]
    allowed(request, site.allowances.logging_in)
    return answer(wire.PasskeyOptions(await site.passkeys.ask_login(party_of(request))))


async def login_with_passkey(request: web.Request) -> web.Response:
    """Log in with a passkey."""
    site = request.app[SITE]
    asked = await body_of(request, wire.decode_passkey_login)
    allowed(request, site.allowances.logging_in)
    party, name = party_of(request), asked.credential.get("id")
    key = await site.guests.key(name) if isinstance(name, str) and name.isascii() else None
    person = None if key is None else await site.guests.person(key.guest)
    if key is None or person is None:
        raise Refused(401, "wrong_login")
    count, begun = await site.passkeys.check_login(party, key, person.public, asked.credential)
    if not await site.guests.use_key(key.id, count, begun, site.clock.now()):
        raise Refused(401, "wrong_login")
    return await told(request, person)


KEY = r"{key:[0-9A-Za-z_-]{1,1400}}"
CHANGING = {400: "bad_body", 403: "bad_origin", 413: "too_big", 415: "bad_type", 429: "not_so_fast"}

ROUTES = (
    Route(
        "POST", "/api/account", open_account, "Make an account of the guest, with a password", wire.Me, 201, wire.NewAccount,
        CHANGING | {401: "no_guest", 409: "already, name_taken", 422: "bad_password, bad_name"},
    ),
    Route(
        "POST", "/api/account/password", change_password, "Change the account's password", wire.Me, 200, wire.NewPassword,
        CHANGING | {401: "no_guest", 403: "bad_origin, wrong_login", 409: "no_account", 422: "bad_password"},
    ),
    Route("POST", "/api/login", login, "Log in with a password", wire.Me, 200, wire.Login, CHANGING | {401: "wrong_login"}),
    Route("POST", "/api/logout", logout, "Log out here, or everywhere", wire.Me, 200, wire.Logout, CHANGING),
    Route(
        "POST", "/api/passkeys/begin", ask_passkey, "Begin to add a passkey", wire.PasskeyOptions,
        problems={401: "no_guest", 403: "bad_origin", 409: "name_taken", 422: "no_passkeys_here, bad_name", 429: "not_so_fast"},
    ),
    Route(
        "POST", "/api/passkeys", add_passkey, "Add a passkey; a guest has an account by it", wire.Me, 201, wire.NewPasskey,
        CHANGING | {400: "bad_body, bad_passkey", 401: "no_guest", 409: "already, name_taken, too_many", 422: "no_passkeys_here, bad_name"},
    ),
    Route(
        "DELETE", f"/api/passkeys/{KEY}", drop_passkey, "Take a passkey away", wire.Me,
        problems={401: "no_guest", 403: "bad_origin", 404: "no_passkey", 409: "last_way_in", 429: "not_so_fast"},
    ),
    Route(
        "POST", "/api/login/passkey/begin", ask_login, "Begin to log in with a passkey", wire.PasskeyOptions,
        problems={403: "bad_origin", 422: "no_passkeys_here", 429: "not_so_fast"},
    ),
    Route(
        "POST", "/api/login/passkey", login_with_passkey, "Log in with a passkey", wire.Me, 200, wire.PasskeyLogin,
        CHANGING | {400: "bad_body, bad_passkey", 401: "wrong_login", 422: "no_passkeys_here"},
    ),
)  # fmt: skip
