"""A broker that is a Redis or Valkey server; needs the package redis."""
from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager

from redis.asyncio import Redis
from redis.asyncio.client import PubSub
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.exceptions import RedisError

from kozyr.bus.brokered import Broker, Said, Session

ANSWER_S = 3.0
SCHEMES = {"valkey": "redis", "valkeys": "rediss"}


class RedisBroker(Broker):
    """Channels are those of PUBLISH and SUBSCRIBE."""

    lost = (*Broker.lost, RedisError)

    @asynccontextmanager
    async def open(self, channels: Sequence[str]) -> AsyncIterator[Session]:
        """See `Broker`; the library opens nothing again by itself, since what was missed must be known."""
        scheme, _, place = self.url.partition("://")
        client = Redis.from_url(
            f"{SCHEMES.get(scheme, scheme)}://{place}", client_name="kozyr-hints", retry=Retry(NoBackoff(), 0),
            socket_connect_timeout=ANSWER_S, socket_timeout=ANSWER_S,
        )  # fmt: skip
        listening = client.pubsub()
        try:
            await listening.subscribe(*channels)
            yield RedisSession(self, client, listening)
        finally:
            await listening.aclose()  # type: ignore[no-untyped-call]
            await client.aclose()


class RedisSession:
    """Two connections to a Redis server: one that hears and one that speaks. Implements `Session`."""

    def __init__(self, broker: RedisBroker, client: Redis, listening: PubSub) -> None:
        self._broker = broker
        self._client = client
        self._listening = listening

    async def send(self, said: Sequence[Said]) -> None:
        """See `Session`."""
        async with self._client.pipeline(transaction=False) as together:
            for channel, payload in said:
                together.publish(channel, payload)
            await together.execute()

    async def listen(self) -> None:
        """See `Session`."""
        while True:
            message = await self._listening.get_message(ignore_subscribe_messages=True, timeout=ANSWER_S)
            if message is not None:
                self._broker.heard(message["channel"].decode(), message["data"])
