"""The HTTP interface: tables, options, the client's files, headers and cookies."""
from __future__ import annotations

import gzip
import time
from pathlib import Path

import aiohttp
import pytest
from jsonschema import Draft202012Validator

import kozyr
from kozyr.core.options import Rules, may_deal
from kozyr.core.presets import PRESETS
from kozyr.web import openapi
from kozyr.web.routes import API
from tests.web.conftest import Server, browser
from tests.web.player import open_table


async def test_the_server_says_that_it_is_well(http: aiohttp.ClientSession) -> None:
    """Whoever runs a server can ask it."""
    async with http.get("/api/health") as response:
        said = await response.json()
    assert (True, kozyr.__version__, 0) == (said["ok"], said["version"], said["tables"])
    assert said["form"] in ("compiled", "interpreted")


async def test_every_choice_on_the_screen_can_be_dealt_or_is_marked(http: aiohttp.ClientSession) -> None:
    """Presets, options, values and the combinations that cannot be dealt (R1.2)."""
    async with http.get("/api/options") as response:
        choices = await response.json()
    assert list(PRESETS) == [preset["name"] for preset in choices["presets"]]
    known = {option["name"]: option for option in choices["options"]}
    assert set(Rules().to_dict()) == set(known)
    for preset in choices["presets"]:
        assert set(preset["change"]) | set(preset["values"]) <= set(known)
        Rules.of(preset["values"])
    undealable = {(each["deck"], each["seats"]) for each in choices["undealable"]}
    for deck in known["deck"]["values"]:
        for seats in known["seats"]["values"]:
            assert may_deal(deck, seats) != ((deck, seats) in undealable)
    for option in known.values():
        assert option.get("values", [option["default"]])[0] == option["default"] or option["name"] == "seats"
        assert "values" in option or option["least"] <= option["default"] <= option["most"]
    assert "easy" in choices["levels"]


@pytest.mark.parametrize("preset", PRESETS)
async def test_a_table_of_every_preset_opens(http: aiohttp.ClientSession, preset: str) -> None:
    """What the screen offers can be played."""
    opened = await open_table(http, preset=preset)
    async with http.get(f"/api/tables/{opened['id']}") as response:
        card = await response.json()
    assert (0, "seeds", opened["socket"]) == (card["seat"], card["stage"], card["socket"])
    assert ["person"] + ["bot"] * (len(card["players"]) - 1) == [player["kind"] for player in card["players"]]
    assert len(card["players"]) == card["options"]["seats"]


async def test_a_guest_keeps_seat_and_name(server: Server, http: aiohttp.ClientSession) -> None:
    """A browser is known again by its cookie; another one is nobody here."""
    first = await open_table(http, name="  Ayla   K. ")
    second = await open_table(http)
    for opened in (first, second):
        async with http.get(f"/api/tables/{opened['id']}") as response:
            card = await response.json()
        assert ("Ayla K.", 0) == (card["players"][0]["name"], card["seat"])
    async with browser(server) as stranger, stranger.get(f"/api/tables/{first['id']}") as response:
        assert "seat" not in await response.json()


async def test_the_cookie_is_out_of_reach_for_scripts_and_other_sites(http: aiohttp.ClientSession) -> None:
    """HttpOnly and SameSite, and no guessable id."""
    async with http.post("/api/tables", json={}) as response:
        cookie = response.headers["Set-Cookie"]
    assert "HttpOnly" in cookie and "SameSite=Lax" in cookie and "Path=/" in cookie
    guest, generation, since, name, signature = cookie.split("=", 1)[1].split(";")[0].split(".")
    assert (24, "0", True, 16, 64) == (len(guest), generation, abs(int(since) - time.time()) < 60, len(name), len(signature))


@pytest.mark.parametrize("path", ["/", "/api/health", "/api/nothing", "/assets/main-abc123.js", "/t/abc"])
async def test_every_answer_has_the_security_headers(http: aiohttp.ClientSession, path: str) -> None:
    """No foreign scripts, no framing, no sniffing, whatever was asked."""
    async with http.get(path) as response:
        policy = response.headers["Content-Security-Policy"]
        assert "default-src 'none'" in policy and "script-src 'self'" in policy and "frame-ancestors 'none'" in policy
        assert "unsafe-inline" not in policy.replace("style-src-attr 'unsafe-inline'", "") and "unsafe-eval" not in policy
        assert ("nosniff", "DENY") == (response.headers["X-Content-Type-Options"], response.headers["X-Frame-Options"])
        assert "Server" not in response.headers


@pytest.mark.parametrize("path", ["/", "/t/abc", "/t/abc/", "/learn", "/index.html"])
async def test_every_page_is_the_client(http: aiohttp.ClientSession, path: str) -> None:
    """Addresses of the client's own pages give its one page, which is asked for anew each time."""
    async with http.get(path) as response:
        assert (200, "no-cache", "text/html") == (response.status, response.headers["Cache-Control"], response.content_type)
        assert "Kozyr" in await response.text()


async def test_hashed_files_are_kept_for_ever(http: aiohttp.ClientSession) -> None:
    """A file whose name is a hash never changes."""
    async with http.get("/assets/main-abc123.js") as response:
        assert "public, max-age=31536000, immutable" == response.headers["Cache-Control"]
        assert "text/javascript" == response.content_type


@pytest.mark.parametrize(
    ("accepted", "encoding"),
    [
        ("br, gzip", "br"),
        ("gzip, deflate, br", "br"),
        ("gzip", "gzip"),
        ("identity", ""),
        ("gzip;q=0", ""),
        ("br;q=0.0, gzip;q=0.5", "gzip"),
    ],
)
async def test_files_are_sent_compressed(server: Server, static: Path, accepted: str, encoding: str) -> None:
    """The smallest form that the browser takes: compressed beforehand, or when the server started."""
    headers = {"Accept-Encoding": accepted}
    path = "/assets/main-abc123.js"
    async with aiohttp.ClientSession(server.base, auto_decompress=False) as raw, raw.get(path, headers=headers) as response:
        assert encoding == response.headers.get("Content-Encoding", "")
        assert "Accept-Encoding" == response.headers["Vary"]
        body = await response.read()
    plain = (static / "assets" / "main-abc123.js").read_bytes()
    assert {"br": b"brotli bytes", "gzip": body, "": plain}[encoding] == body
    if encoding == "gzip":
        assert plain == gzip.decompress(body)


async def test_a_browser_that_has_the_file_is_told_so(http: aiohttp.ClientSession) -> None:
    """A tag that still fits is answered without a body."""
    async with http.get("/") as response:
        tag = response.headers["ETag"]
    async with http.get("/", headers={"If-None-Match": tag}) as response:
        assert (304, b"") == (response.status, await response.read())
    async with http.get("/", headers={"If-None-Match": '"other"'}) as response:
        assert 200 == response.status


async def test_a_server_without_a_client_says_so(server: Server, http: aiohttp.ClientSession) -> None:
    """The interface works although no page was built."""
    server.site.files.files.clear()
    async with http.get("/") as response:
        assert (503, "no_client") == (response.status, (await response.json())["code"])
    await open_table(http)


async def test_the_description_names_every_route(http: aiohttp.ClientSession) -> None:
    """The OpenAPI document has all paths, and its schemas are JSON Schemas."""
    async with http.get("/api/openapi.json") as response:
        document = await response.json()
    assert document == openapi.document(API)
    described = {(method.upper(), path) for path, methods in document["paths"].items() for method in methods}
    assert {(route.method, openapi.HOLE.sub(r"{\1}", route.path)) for route in API} == described
    for schema in document["components"]["schemas"].values():
        Draft202012Validator.check_schema(schema)
    assert {"NewTable", "TableOpened", "TableCard", "Choices", "Health", "Problem"} <= set(document["components"]["schemas"])


async def test_answers_fit_their_description(http: aiohttp.ClientSession) -> None:
    """What is answered is what the document says."""
    opened = await open_table(http)
    document = openapi.document(API)
    for path, name in (("/api/health", "Health"), ("/api/options", "Choices"), (f"/api/tables/{opened['id']}", "TableCard")):
        async with http.get(path) as response:
            body = await response.json()
        validator = Draft202012Validator({"$ref": f"#/components/schemas/{name}", "components": document["components"]})
        assert [] == list(validator.iter_errors(body))
