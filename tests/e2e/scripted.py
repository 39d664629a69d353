"""A table whose server is the test: it says what the page shows, and hears what the page asks."""
from __future__ import annotations

import json
from typing import Any

from playwright.sync_api import Page, WebSocketRoute

Message = dict[str, Any]

OPTIONS: Message = {
    "deck": 36,
    "seats": 3,
    "transfer": True,
    "throw_scope": "all",
    "first_limit": 5,
    "cheat": False,
    "draws": True,
}
BOT = {"kind": "bot", "level": "easy"}


def view(**change: Any) -> Message:
    """
    Make a view: seat 1 has attacked seat 0 with the seven of hearts, trump is spades.
    """
    return {
        "phase": "DEFENCE",
        "bout_no": 1,
        "trump": "s",
        "trump_card": "6s",
        "stock": 12,
        "seats": [{"cards": 6}, {"cards": 5}, {"cards": 6}],
        "bout": [{"attack": "7h", "by": 1}],
        "attacker": 1,
        "defender": 0,
        "opener": 1,
        "waiting": [0],
        "capacity": 4,
        "limit": 5,
        "h0": 6,
        "hand": ["8h", "Jh", "7d", "Kc", "Ad", "9s"],
        "legal": ["beat 7h 8h", "beat 7h Jh", "beat 7h 9s", "transfer 7d", "take"],
        **change,
    }


class ScriptedTable:
    """The server's end of the page's socket at `/t/felt`."""

    def __init__(self, page: Page, first: Message, options: Message | None = None, seats: int = 3, **more: Any) -> None:
        """
        Open the page; *more* changes the table, such as its `players`, and with `seat` None the viewer is a spectator.

        `left_ms` and `of_ms` are the clock's that runs.
        """
        self.page = page
        self.heard: list[Message] = []
        self.seq = 1
        self.seat: int | None = more.pop("seat", 0)
        self._socket: WebSocketRoute | None = None
        self._first = first
        self._clock = {name: more.pop(name) for name in ("left_ms", "of_ms") if name in more}
        players = [{"name": "Ada", "kind": "person"}, *({"name": f"Bot {seat}", **BOT} for seat in range(1, seats))]
        table = {"id": "felt", "options": {**OPTIONS, **(options or {})}, "players": players, "game": 1, "stage": "playing"}
        self.table: Message = {**table, **more}
        card = {**self.table, "games": 1, "seq": 1, "seat": self.seat, "socket": "/ws/tables/felt"}
        page.route("**/api/tables/felt", lambda route: route.fulfill(json=card))
        page.route_web_socket("**/ws/tables/felt", self._meet)
        page.goto("/t/felt")
        page.locator(".hand li" if self.seat is not None else ".watching").first.wait_for()
        # A hand measures its room when it has been laid out, and is where it stays in the frame after.
        page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")

    def _meet(self, socket: WebSocketRoute) -> None:
        self._socket = socket
        socket.on_message(self._hear)

    def _hear(self, text: str | bytes) -> None:
        message = json.loads(text)
        if message["t"] == "hello":
            mine = {} if self.seat is None else {"seat": self.seat}
            self.send({"t": "welcome", "v": 1, "seq": self.seq, "table": self.table, "view": self._first, **mine, **self._clock})
        elif message["t"] == "ping":
            self.send({"t": "pong", "n": message["n"], "ms": 0})
        else:
            self.heard.append(message)

    def send(self, message: Message) -> None:
        """Say something to the page."""
        assert self._socket is not None
        self._socket.send(json.dumps(message))

    def update(self, *events: Message, **change: Any) -> None:
        """Tell the page what happened, and the view that it came to."""
        self.seq += 1
        self.send({"t": "update", "seq": self.seq, "events": list(events), "view": view(**change)})

    def change(self, *events: Message, update: Message | None = None, **change: Any) -> None:
        """Tell the page what has changed of the table itself, with what else is in the *update*."""
        self.seq += 1
        self.table = {**self.table, **change}
        self.send({"t": "update", "seq": self.seq, "events": list(events), "table": self.table, **(update or {})})

    def moves(self) -> list[str]:
        """Return the moves that the page has sent, once it has had the time to send one."""
        for _ in range(40):
            if self.heard:
                break
            self.page.wait_for_timeout(25)
        return [message["move"] for message in self.heard if message["t"] == "play"]
