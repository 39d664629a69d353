"""A broker that is a NATS server; needs the package nats-py."""
from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager

import nats
from nats.aio.client import Client
from nats.aio.msg import Msg
from nats.errors import Error

from kozyr.bus.brokered import Broker, Said, Session

ANSWER_S = 3


class NatsBroker(Broker):
    """Channels are subjects."""

    lost = (*Broker.lost, Error)

    @asynccontextmanager
    async def open(self, channels: Sequence[str]) -> AsyncIterator[Session]:
        """See `Broker`."""
        ended = asyncio.Event()

        async def end(*_: object) -> None:
            ended.set()

        async def hear(message: Msg) -> None:
            self.heard(message.subject, message.data)

        client = await nats.connect(
            self.url, name="kozyr hints", allow_reconnect=False, connect_timeout=ANSWER_S,
            disconnected_cb=end, closed_cb=end, error_cb=end,
        )  # fmt: skip
        try:
            for channel in channels:
                await client.subscribe(channel, cb=hear)
            await client.flush(ANSWER_S)
            yield NatsSession(client, ended)
        finally:
            await client.close()


class NatsSession:
    """A connection to a NATS server. Implements `Session`."""

    def __init__(self, client: Client, ended: asyncio.Event) -> None:
        self._client = client
        self._ended = ended

    async def send(self, said: Sequence[Said]) -> None:
        """See `Session`."""
        for channel, payload in said:
            await self._client.publish(channel, payload)

    async def listen(self) -> None:
        """See `Session`; what is heard is handed on by itself."""
        await self._ended.wait()
        raise ConnectionResetError("it has ended")
