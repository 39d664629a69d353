"""The operator's page: what goes on at this server, and the few things that its operator may do. Plain pages, without scripts."""
from __future__ import annotations

import hashlib
import hmac
from collections.abc import Callable
from urllib.parse import parse_qsl, quote

from aiohttp import web

from kozyr.app.commands import Close, Done, Refusal
from kozyr.app.office import Act
from kozyr.app.ports import Spoilt
from kozyr.web import operator_pages as pages
from kozyr.web.allowances import address_of
from kozyr.web.guard import Handler, Refused, shown
from kozyr.web.sessions import is_encrypted
from kozyr.web.site import SITE, Site, allowed

COOKIE = "kozyr_operator"
AGE_S = 12 * 3600
WORDS_MAX = 200
FIELDS_MAX = 20
HOURS_MAX = 24 * 365
LINES = 50
TABLES = 200

TRIES = "operator"


def with_password(handler: Handler) -> Handler:
    """Serve a page only where the operator has set a password; elsewhere there is no such page."""

    async def guarded(request: web.Request) -> web.StreamResponse:
        if not request.app[SITE].running.operator_password:
            raise Refused(404, "no_page", "/operator")
        response = await handler(request)
        response.headers["Cache-Control"] = "no-store"
        return response

    return guarded


def for_operator(handler: Handler) -> Handler:
    """Serve a page only to the operator; a form of another page does nothing."""

    async def guarded(request: web.Request) -> web.StreamResponse:
        site = request.app[SITE]
        if not is_operator(site, request):
            raise web.HTTPSeeOther("/operator/login")
        if request.method == "POST":
            form = await form_of(request)
            if not hmac.compare_digest(form.get("form", "").encode(errors="replace"), form_token(site, request).encode()):
                raise Refused(403, "bad_origin")
        return await handler(request)

    return with_password(guarded)


async def form_of(request: web.Request) -> dict[str, str]:
    """
    Read a form as the pages' own forms send it; of what comes twice the first counts.

    Raises: Refused for a body that is none.
    """
    if request.content_type != "application/x-www-form-urlencoded":
        raise Refused(415, "bad_type", shown(request.content_type))
    try:
        fields = parse_qsl((await request.read()).decode(), keep_blank_values=True, max_num_fields=FIELDS_MAX)
    except ValueError:
        raise Refused(400, "bad_body") from None
    return dict(reversed(fields))


def is_operator(site: Site, request: web.BaseRequest) -> bool:
    """Whether a request has the cookie of a login that is not too old, with the password of now."""
    until, _, seal = request.cookies.get(COOKIE, "").partition(".")
    if not (until.isascii() and until.isdigit() and len(until) < 12 and seal.isascii()):
        return False
    return hmac.compare_digest(seal, sealed(site, until)) and site.clock.now() < int(until) * 1000


def sealed(site: Site, until: str) -> str:
    """Seal until when a login is good; another password makes another seal."""
    password = hashlib.sha256(site.running.operator_password.encode()).hexdigest()
    return site.sessions.seal(f"operator {until} {password}").hex()


def form_token(site: Site, request: web.BaseRequest) -> str:
    """Name the forms of this login: a page of somebody else cannot know it."""
    return site.sessions.seal(f"operator-form {request.cookies.get(COOKIE, '')}").hex()[:32]


async def show_login(request: web.Request) -> web.StreamResponse:
    """Ask for the password."""
    return html(pages.login(wrong="wrong" in request.query))


async def log_in(request: web.Request) -> web.StreamResponse:
    """Let the operator in; a wrong password is written down."""
    site = request.app[SITE]
    allowed(request, site.allowances.guessing, TRIES)
    given = (await form_of(request)).get("password", "")
    if not hmac.compare_digest(given.encode(errors="replace"), site.running.operator_password.encode()):
        await write_down(request, "refused", "", "wrong password")
        raise web.HTTPSeeOther("/operator/login?wrong")
    await write_down(request, "login", "", "")
    until = str(site.clock.now() // 1000 + AGE_S)
    response = web.Response(status=303, headers={"Location": "/operator"})
    response.set_cookie(
        COOKIE, f"{until}.{sealed(site, until)}", max_age=AGE_S, path="/operator", httponly=True, samesite="Strict",
        secure=is_encrypted(request),
    )  # fmt: skip
    return response


async def log_out(request: web.Request) -> web.StreamResponse:
    """Forget the login in this browser."""
    response = web.Response(status=303, headers={"Location": "/operator/login"})
    response.del_cookie(COOKIE, path="/operator")
    return response


async def show(request: web.Request) -> web.StreamResponse:
    """Show everything there is to look at."""
    site = request.app[SITE]
    now = site.clock.now()
    guests = site.guests
    called: dict[str, str] = {}

    async def name(guest: str) -> str:
        if guest not in called:
            person = await guests.person(guest)
            called[guest] = "somebody" if person is None else f"{person.name} ({person.public})"
        return called[guest]

    reports = [(told, await name(told.reported), await name(told.reporter)) for told in await guests.reports(LINES)]
    mutes = [(await name(guest), until) for guest, until in (await guests.mutes(now)).items()]
    companies = [] if site.ledger is None else await site.ledger.companies(now // 86_400_000, LINES)
    together = [(company.games, [await name(guest) for guest in company.players]) for company in companies]
    totals = None if site.ledger is None else await site.ledger.totals()
    newest = sorted(site.tables.all(), key=lambda table: -table.at)[:TABLES]
    figures = pages.figures(site, len(site.connections()))
    token = form_token(site, request)
    said = request.query.get("said", "")
    return html(pages.overview(said, token, figures, newest, reports, mutes, together, totals, await guests.acts(LINES)))


async def mute(request: web.Request) -> web.StreamResponse:
    """Let a player say no phrases for some hours; 0 ends that."""
    site, form = request.app[SITE], await form_of(request)
    person = await site.guests.person_called(form.get("player", "").strip()[:40])
    written = form.get("hours", "")
    hours = written.lstrip("0") or written[:1]
    if person is None:
        return back("there is no such player")
    if not (hours.isascii() and hours.isdigit() and len(hours) < 6 and int(hours) <= HOURS_MAX):
        return back("hours must be a number")
    now, count = site.clock.now(), int(hours)
    act = Act(0, now, address_of(request), "mute" if count else "unmute", person.public, f"{count} h {words_of(form.get('words'))}".strip())
    await site.guests.mute(person.guest, now + count * 3_600_000 if count else 0, act)
    site.phrases.muted = await site.guests.mutes(now)
    return back(f"{person.name} is muted for {count} hours" if count else f"{person.name} may speak")


async def close(request: web.Request) -> web.StreamResponse:
    """Close a table for good; stakes of a game that runs go back, once, also where the table cannot be read."""
    site, form = request.app[SITE], await form_of(request)
    table_id = form.get("table", "").strip()[:40]
    try:
        live = await site.tables.get(table_id) if table_id.isascii() and table_id.isalnum() else None
    except Spoilt:
        await write_down(request, "refund", table_id, words_of(form.get("words")))
        games = await site.tables.give_back(table_id)
        return back(f"table {table_id} cannot be read; the stakes of {games} of its games were given back")
    if live is None:
        return back("there is no such table")
    if live.table.is_closed:
        return back(f"table {table_id}: table_closed")
    # Before it is done: a table that is closed and nobody knows by whom would be worse than an act that has not come to anything.
    await write_down(request, "close", table_id, words_of(form.get("words")))
    outcome = await live.handle(Close())
    if isinstance(outcome, Done):
        return back(f"table {table_id} is closed")
    assert isinstance(outcome, Refusal)
    await write_down(request, "failed", table_id, outcome.code)
    return back(f"table {table_id}: {outcome.code}")


async def write_down(request: web.Request, what: str, about: str, words: str) -> None:
    """Write an act of the operator down."""
    site = request.app[SITE]
    await site.guests.act(Act(0, site.clock.now(), address_of(request), what, about, words))


def words_of(value: object) -> str:
    """Take in the operator's reason: short, and without what would write elsewhere on a screen."""
    return "".join(letter if letter.isprintable() else " " for letter in str(value or ""))[:WORDS_MAX]


async def style(request: web.Request) -> web.StreamResponse:
    """Hand out the pages' style sheet."""
    return web.Response(text=pages.STYLE, content_type="text/css")


def back(said: str) -> web.StreamResponse:
    """Go back to the page, which says what was done."""
    return web.Response(status=303, headers={"Location": f"/operator?said={quote(said)}"})


def html(text: str) -> web.StreamResponse:
    """Answer with a page."""
    return web.Response(text=text, content_type="text/html")


PAGES: tuple[tuple[str, str, Callable[[Handler], Handler], Handler], ...] = (
    ("GET", "/operator", for_operator, show),
    ("GET", "/operator/login", with_password, show_login),
    ("POST", "/operator/login", with_password, log_in),
    ("POST", "/operator/logout", for_operator, log_out),
    ("POST", "/operator/mute", for_operator, mute),
    ("POST", "/operator/close", for_operator, close),
    ("GET", "/operator/style.css", with_password, style),
)


def add_operator(app: web.Application) -> None:
    """Put the operator's pages into an application."""
    for method, path, guard, handler in PAGES:
        app.router.add_route(method, path, guard(handler))
