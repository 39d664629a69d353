"""Four people at a staked table: an invitation, lost connections, a killed server, and the coins right to the last one."""
from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path

from playwright.sync_api import Browser, Page, WebSocketRoute, expect

from kozyr.ledger import pot, shares
from tests.e2e.conftest import DESK, PHONE, context, watched
from tests.e2e.playing import play_on, sit_down
from tests.e2e.server import ServerProcess
from tests.store.auditing import faults

STAKE, OPENING = 70, 1000
NAMES = ("Aysel", "Jonas", "Chiara", "Миша")
GAME_S = 150
CUT_AT, BACK_AT, KILLED_AT, CUT_ONCE_MORE_AT = 12, 40, 60, 90
"""The rounds of clicks at which something goes wrong."""


class Line:
    """A page's way to the server, which can be cut and stays cut until it is mended."""

    def __init__(self, page: Page) -> None:
        self.is_cut = False
        self._open: WebSocketRoute | None = None
        page.route_web_socket("**/ws/**", self._connect)

    def _connect(self, page: WebSocketRoute) -> None:
        if self.is_cut:
            page.close(code=4001)
            return
        self._open = page
        page.connect_to_server()

    def cut(self) -> None:
        self.is_cut = True
        if self._open is not None:
            self._open.close(code=4001)

    def mend(self) -> None:
        self.is_cut = False


def open_staked_table(page: Page) -> str:
    """
    Open a table of four persons, on the page for new tables; the link to invite with.
    """
    opened = page.request.post(
        "/api/tables",
        data={"preset": "peak", "options": {"stake": STAKE, "turn_s": 15}, "name": NAMES[0]},
    )
    assert 201 == opened.status
    link = f"/t/{opened.json()['id']}"
    page.goto(link)
    return link


def coins_of(pages: list[Page]) -> list[int]:
    return [page.request.get("/api/coins").json()["coins"] for page in pages]


def order_of(page: Page) -> list[int]:
    """List the seats as the end of the game shows them, the durak last, to somebody who watches it from seat 0."""
    names = page.locator(".ending ol .called").all_inner_texts()
    return [0 if name == "You" else NAMES.index(name) for name in names]


def due_to(page: Page) -> list[int]:
    """Work out from the end of the game alone what each seat must have now (R15.3, R15.5)."""
    order = order_of(page)
    assert [0, 1, 2, 3] == sorted(order)
    if not page.locator(".ending li.durak").count():
        return [OPENING] * 4
    return [OPENING - STAKE + shares(pot(STAKE, 4), "linear", 4)[order.index(seat)] for seat in range(4)]


def test_a_staked_transfer_game_survives_lost_connections_and_a_killed_server(
    browser: Browser, own_server: ServerProcess, tmp_path: Path
) -> None:
    """Four browsers, an invitation link, a lost connection and a killed server: no card, coin or seat is lost (R15, I2, I7)."""
    with ExitStack() as stack:
        sizes = (DESK, PHONE, DESK, PHONE)
        pages = [stack.enter_context(watched(context(browser, own_server, **size))) for size in sizes]
        lines = [Line(page) for page in pages]
        link = open_staked_table(pages[0])
        for page, name in zip(pages[1:], NAMES[1:], strict=True):
            sit_down(page, link, name)
        for page in pages:
            page.get_by_role("button", name="I am ready").click()
        for page in pages:
            expect(page.locator(".hand li")).to_have_count(6)
        assert [OPENING - STAKE] * 4 == coins_of(pages)

        def troubles(number: int) -> None:
            if number == CUT_AT:
                lines[1].cut()
            elif number == BACK_AT:
                lines[1].mend()
            elif number == KILLED_AT:
                own_server.kill()
                own_server.start()
            elif number == CUT_ONCE_MORE_AT:
                lines[3].cut()
                lines[3].mend()

        play_on(pages, GAME_S, troubles)
        assert due_to(pages[0]) == coins_of(pages)
    assert [] == faults(tmp_path / "kozyr.db")
