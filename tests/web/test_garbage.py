"""Malformed, oversized, stale, doubled and foreign input: a clear error with a stable code, and nothing has changed."""
from __future__ import annotations

import json
from typing import Any

import aiohttp
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import DecodeError

from kozyr.wire import VERSION, http, messages
from kozyr.wire.codes import CODES
from tests.web.conftest import Server, browser
from tests.web.player import Player, gone, open_table, seated

BAD_TEXTS = [
    "", " ", "{", "null", "[]", "7", '"hello"', "{}", '{"t":"nothing"}', '{"t":"play"}', '{"t":"welcome","v":1}',
    '{"t":"hello","v":"1"}', '{"t":"hello","v":1,"since":-1}', '{"t":"hello","v":1,"extra":0}', '{"t":"hello","v":1,"since":1.5}',
    '{"t":"play","id":"","move":"take","bout":1}', '{"t":"play","id":"a b","move":"take","bout":1}',
    '{"t":"play","id":"a","move":"","bout":1}', '{"t":"play","id":"a","move":"take","bout":"1"}',
    '{"t":"play","id":"a","move":"take","bout":-1}', '{"t":"play","id":"%s","move":"take","bout":1}' % ("a" * 41),
    '{"t":"play","id":"a","move":"%s","bout":1}' % ("a" * 61), '{"t":"play","id":"a","move":"take","bout":1,"seat":1}',
    '{"t":"seed_commit","id":"a","game":1,"commitment":"00"}', '{"t":"seed_reveal","id":"a","game":1,"seed":"%s"}' % ("G" * 64),
    '{"t":"again","id":"a","game":99999999999999999999999}', '{"t":"ping","n":null}',
    '{"t":"ping","n":-1}', '{"t":"ping","n":9007199254740992}',
    "[" * 2000, '{"t":"hello","v":1}{"t":"hello","v":1}',
    '\\ud800', '{"t":"ping","n":1e400}',
    '{"x":' + "[" * 7000 + "]" * 7000 + ',"t":"ping"}',
    '{"t":"play","id":"a\\n","move":"take","bout":1}', '{"t":"play","id":"\u0436","move":"take","bout":1}',
    '{"t":"seed_commit","id":"a","game":1,"commitment":"%s\\n"}' % ("0" * 64),
]  # fmt: skip


async def log_of(server: Server, table_id: str) -> int:
    tail = await server.site.store.load(table_id)
    assert tail is not None
    return tail.seq


async def test_messages_that_cannot_be_read_are_answered_and_change_nothing(server: Server, http: aiohttp.ClientSession) -> None:
    """Each gets `bad_message`; the connection goes on, and so does the game."""
    async with await seated(http, options={"seats": 2}) as player:
        await player.hello()
        before = await log_of(server, player.table_id)
        for text in BAD_TEXTS:
            await player.socket.send_str(text)
            told = await player.until("fault")
            assert "bad_message" == told["code"], text
        assert before == await log_of(server, player.table_id)
        await player.agree()


async def test_a_message_above_the_limit_is_refused(server: Server, http: aiohttp.ClientSession) -> None:
    """More than 16 KiB is not read; far more ends the connection."""
    async with await seated(http, options={"seats": 2}) as player:
        await player.hello()
        await player.socket.send_str(json.dumps({"t": "ping", "n": 1}).ljust(messages.SIZE_MAX))
        assert 1 == (await player.until("pong"))["n"]
        await player.socket.send_str(json.dumps({"t": "ping", "n": 1}).ljust(messages.SIZE_MAX + 1))
        assert "too_big" == (await player.until("fault"))["code"]
        await player.socket.send_str("x" * 1_000_000)
        await gone(player)
        assert 1009 == player.socket.close_code


async def test_binary_messages_are_refused(http: aiohttp.ClientSession) -> None:
    """The protocol is text."""
    async with await seated(http, options={"seats": 2}) as player:
        await player.hello()
        await player.socket.send_bytes(b'{"t":"ping"}')
        assert "not_text" == (await player.until("fault"))["code"]
        await player.send(t="ping")
        await player.until("pong")


async def test_hello_comes_first(http: aiohttp.ClientSession) -> None:
    """Who does not say hello is told so and let go."""
    async with await seated(http, options={"seats": 2}) as player:
        await player.send(t="ping", n=1)
        assert "hello_first" == (await player.next())["code"]
        await gone(player)


async def test_another_version_is_told_ours(http: aiohttp.ClientSession) -> None:
    """A client of another version learns which one is spoken here."""
    async with await seated(http, options={"seats": 2}) as player:
        await player.send(t="hello", v=VERSION + 1)
        told = await player.next()
        assert ("version", str(VERSION)) == (told["code"], told["about"])
        await gone(player)


@pytest.mark.parametrize("table", ["nosuchtable", "a%20b", "A" * 60])
async def test_a_table_that_there_is_not(http: aiohttp.ClientSession, table: str) -> None:
    """A made-up address is answered over the websocket, where a page can read it."""
    async with Player(http, table) as player:
        assert "no_table" == (await player.next())["code"]
        await gone(player)


async def test_refused_commands_change_nothing(server: Server, http: aiohttp.ClientSession) -> None:
    """Foreign, early, late, stale and impossible commands are refused with their codes."""
    async with await seated(http, options={"seats": 3}) as player:
        await player.hello()
        zeros = "0" * 64
        early = [
            ({"t": "play", "move": "take", "bout": 1}, "not_dealt"),
            ({"t": "play", "move": "fly", "bout": 1}, "bad_move"),
            ({"t": "seed_reveal", "game": 1, "seed": zeros}, "not_committed"),
            ({"t": "seed_commit", "game": 2, "commitment": zeros}, "stale"),
            ({"t": "again", "game": 1}, "not_over"),
            ({"t": "take_back", "game": 1}, "not_on_autopilot"),
        ]
        before = await log_of(server, player.table_id)
        for message, code in early:
            told = await player.ask(**message)
            assert ("refused", code) == (told["t"], told["code"])
        assert before == await log_of(server, player.table_id)
        await player.agree()
        await player.alone()
        before = await log_of(server, player.table_id)
        late: list[tuple[dict[str, Any], set[str]]] = [
            ({"t": "seed_commit", "game": 1, "commitment": zeros}, {"too_late"}),
            ({"t": "play", "move": "take", "bout": 99}, {"stale"}),
            ({"t": "play", "move": "challenge 7h", "bout": player.view["bout_no"] if player.view else 0}, {"no_challenges_here"}),
        ]
        for message, codes in late:
            told = await player.ask(**message)
            assert told["t"] == "refused" and told["code"] in codes
        assert before == await log_of(server, player.table_id)


async def test_nobody_plays_anothers_seat(server: Server, http: aiohttp.ClientSession) -> None:
    """A seat belongs to its guest: strangers, and guests with a cookie that we did not sign, only watch."""
    opened = await open_table(http, options={"seats": 2})
    forged = [{}, {"kozyr_guest": "x"}, {"kozyr_guest": "guest.0000"}, {"kozyr_guest": "."}, {"kozyr_guest": "a.b.c"}]
    own = {cookie.key: cookie.value for cookie in http.cookie_jar}["kozyr_guest"]
    guest, _, signature = own.partition(".")
    forged += [{"kozyr_guest": f"{guest}."}, {"kozyr_guest": f"{guest}.{signature[:-1]}"}, {"kozyr_guest": f"{guest}x.{signature}"}]
    for cookies in forged:
        async with aiohttp.ClientSession(server.base, cookies=cookies) as stranger, Player(stranger, opened["id"]) as player:
            assert "seat" not in await player.hello()
            assert "not_seated" == (await player.ask(t="play", move="take", bout=1))["code"]
    async with Player(http, opened["id"]) as player:
        assert 0 == (await player.hello())["seat"]


ORIGINS = ["http://evil.example", "null", "https://127.0.0.1", "http://127.0.0.1:1"]


@pytest.mark.parametrize("origin", ORIGINS)
async def test_another_sites_page_may_do_nothing(server: Server, http: aiohttp.ClientSession, origin: str) -> None:
    """A page of another site neither opens tables nor plays in our guest's name."""
    opened = await open_table(http, options={"seats": 2})
    async with http.post("/api/tables", json={}, headers={"Origin": origin}) as response:
        assert (403, "bad_origin") == (response.status, (await response.json())["code"])
    with pytest.raises(aiohttp.WSServerHandshakeError) as refused:
        await http.ws_connect(opened["socket"], origin=origin)
    assert 403 == refused.value.status
    async with http.post("/api/tables", json={}, headers={"Origin": server.base}) as response:
        assert 201 == response.status
    socket = await http.ws_connect(opened["socket"], origin=server.base)
    await socket.close()


BAD_TABLES: list[tuple[Any, int, str]] = [
    ("", 400, "bad_body"),
    ("{", 400, "bad_body"),
    ("[]", 400, "bad_body"),
    ('{"preset": 5}', 400, "bad_body"),
    ('{"unknown": 5}', 400, "bad_body"),
    ('{"options": {"deck": null}}', 400, "bad_body"),
    ('{"options": {"deck": [36]}}', 400, "bad_body"),
    ("\ud83d", 400, "bad_body"),
    ({"name": ""}, 400, "bad_body"),
    ({"name": "x" * 25}, 400, "bad_body"),
    ({"name": "   "}, 422, "bad_name"),
    ({"name": "a\u202eb"}, 422, "bad_name"),
    ({"name": "a\x00b"}, 422, "bad_name"),
    ({"preset": "nothing"}, 422, "unknown_preset"),
    ({"preset": "custom", "options": {"jokers": True}}, 422, "not_changeable"),
    ({"preset": "throw_in", "options": {"transfer": True}}, 422, "not_changeable"),
    ({"preset": "custom", "options": {"challenge_ms": 1000}}, 422, "not_changeable"),
    ({"options": {"deck": 24, "seats": 5}}, 422, "undealable"),
    ({"options": {"seats": 7}}, 422, "bad_value"),
    ({"options": {"seats": True}}, 422, "bad_value"),
    ({"options": {"deck": "36"}}, 422, "bad_value"),
    ({"options": {"seats": 10**17}}, 422, "bad_value"),
    ({"options": {"stake": 50, "seats": 2}, "bots": ["easy"]}, 422, "bots_at_stake"),
    ({"bots": []}, 422, "bad_bots"),
    ({"bots": ["easy", "easy", "superhuman"]}, 422, "bad_bots"),
    ({"bots": ["easy"] * 6}, 422, "bad_bots"),
]


@pytest.mark.parametrize(("body", "status", "code"), BAD_TABLES)
async def test_tables_that_cannot_be(server: Server, http: aiohttp.ClientSession, body: Any, status: int, code: str) -> None:
    """An undealable table, an unknown option, a body that cannot be read: a code, and no table."""
    data = body if isinstance(body, str) else json.dumps(body)
    headers = {"Content-Type": "application/json"}
    async with http.post("/api/tables", data=data.encode("utf-8", "surrogatepass"), headers=headers) as response:
        assert (status, code) == (response.status, (await response.json())["code"])
    assert 0 == len(server.site.tables)


async def test_a_body_must_be_json_and_small(http: aiohttp.ClientSession) -> None:
    """A form of another page cannot post here, nor anybody a flood."""
    async with http.post("/api/tables", data={"preset": "peak"}) as response:
        assert (415, "bad_type") == (response.status, (await response.json())["code"])
    big = json.dumps({"name": "x" * 20_000})
    async with http.post("/api/tables", data=big, headers={"Content-Type": "application/json"}) as response:
        assert (413, "too_big") == (response.status, (await response.json())["code"])


PATHS = [
    ("GET", "/api/tables/nothere", 404, "no_table"),
    ("GET", "/api/tables/nothere/games/1", 404, "no_table"),
    ("GET", "/api/tables/NOT-AN-ID", 404, "no_page"),
    ("GET", "/api/nothing", 404, "no_page"),
    ("GET", "/assets/nothing.js", 404, "no_page"),
    ("GET", "/../../etc/passwd.txt", 404, "no_page"),
    ("GET", "/%2e%2e/%2e%2e/secret.txt", 404, "no_page"),
    ("GET", "/ws/tables/nothere", 400, "bad_body"),
    ("DELETE", "/api/tables", 405, "no_method"),
    ("PUT", "/api/options", 405, "no_method"),
    ("POST", "/", 405, "no_method"),
]


@pytest.mark.parametrize(("method", "path", "status", "code"), PATHS)
async def test_paths_that_lead_nowhere(http: aiohttp.ClientSession, method: str, path: str, status: int, code: str) -> None:
    """Every wrong path or method is answered in our own form."""
    async with http.request(method, path) as response:
        assert (status, code) == (response.status, (await response.json())["code"])


async def test_games_that_cannot_be_had(http: aiohttp.ClientSession) -> None:
    """A game's record is secret until it is over."""
    async with await seated(http, options={"seats": 2}) as player:
        await player.hello()
        for number, status, code in ((1, 409, "not_over"), (0, 404, "no_game"), (2, 404, "no_game"), (999_999, 404, "no_game")):
            async with http.get(f"/api/tables/{player.table_id}/games/{number}") as response:
                assert (status, code) == (response.status, (await response.json())["code"])


async def test_a_flood_of_garbage_does_not_stop_others(server: Server, http: aiohttp.ClientSession) -> None:
    """While one connection sends nonsense another plays its game."""
    async with browser(server) as other, await seated(other, options={"seats": 2}) as noisy, await seated(http) as player:
        await player.hello()
        await player.agree()
        for _ in range(300):
            await noisy.socket.send_str("nonsense" * 100)
        await player.play_out()


@given(st.binary(max_size=300) | st.text(max_size=300).map(str.encode))
def test_any_bytes_are_a_message_or_an_error(data: bytes) -> None:
    """The decoder gives a message or says what is wrong; nothing else can happen."""
    for decode in (messages.decode_client, http.decode_new_table):
        try:
            decode(data)
        except (DecodeError, UnicodeDecodeError):
            continue


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=12,
)
WORDS = st.sampled_from(["hello", "play", "seed_commit", "seed_reveal", "again", "take_back", "ping", "welcome", "x"])
FIELDS = ("v", "since", "id", "move", "bout", "game", "commitment", "seed", "n")


@given(WORDS, st.dictionaries(st.sampled_from(FIELDS), JSON, max_size=6))
def test_messages_with_wrong_fields_are_errors(word: str, fields: dict[str, Any]) -> None:
    """A message of a known type with anything in its fields is a message or an error."""
    try:
        data = json.dumps({"t": word, **fields}, allow_nan=False).encode()
    except ValueError:
        return
    try:
        message = messages.decode_client(data)
    except DecodeError:
        return
    assert message.__struct_config__.tag == word


def test_codes_are_words_with_a_sentence() -> None:
    """Every code is a stable word, and says what it means."""
    for code, sentence in CODES.items():
        assert code.replace("_", "").isalpha() and code == code.lower()
        assert sentence[0].isupper() and sentence.endswith(".")
