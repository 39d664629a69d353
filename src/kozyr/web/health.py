"""Whether a process is alive, whether it is ready, and its figures."""
from __future__ import annotations

import asyncio
import hmac
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from aiohttp import web

from kozyr.web import metrics
from kozyr.web.guard import Refused
from kozyr.web.site import SITE, Site, allowed

log = logging.getLogger(__name__)

ANSWER_S = 2.0
"""A database that has not answered by then keeps a process from being ready."""


async def alive(request: web.Request) -> web.Response:
    """Say that the process is alive."""
    return said("alive")


async def ready(request: web.Request) -> web.Response:
    """Say whether the process serves: its database answers, and it was not told to stop."""
    site = request.app[SITE]
    if site.running.is_stopping:
        return said("stopping", 503)
    try:
        async with asyncio.timeout(ANSWER_S):
            await site.store.last_beat()
    except Exception:  # the process's edge: whatever it is, nobody should be sent here
        log.exception("the database does not answer")
        return said("no database", 503)
    return said("ready")


async def figures(request: web.Request) -> web.Response:
    """Hand out the figures at a port that only the operator reaches."""
    await asyncio.to_thread(metrics.load)
    body = metrics.written(request.app[SITE])
    return web.Response(body=body, headers={"Content-Type": metrics.CONTENT_TYPE, "Cache-Control": "no-store"})


async def figures_for_token(request: web.Request) -> web.Response:
    """Hand out the figures to who has the token; to everybody else there is no such page."""
    site = request.app[SITE]
    token = site.running.metrics_token
    scheme, _, given = request.headers.get("Authorization", "").partition(" ")
    if not token:
        raise Refused(404, "no_page", "/metrics")
    if scheme != "Bearer" or not hmac.compare_digest(given.encode(errors="replace"), token.encode()):
        allowed(request, site.allowances.guessing, "metrics")
        raise Refused(404, "no_page", "/metrics")
    return await figures(request)


def said(word: str, status: int = 200) -> web.Response:
    """Answer with a word."""
    return web.Response(text=f"{word}\n", status=status, headers={"Cache-Control": "no-store"})


def add_health(app: web.Application) -> None:
    """Put what a balancer asks into the public application."""
    app.router.add_get("/healthz", alive)
    app.router.add_get("/readyz", ready)
    app.router.add_get("/metrics", figures_for_token)


@asynccontextmanager
async def looked_at(site: Site) -> AsyncIterator[int | None]:
    """Serve health and figures at a port of their own, where the operator wants one; gives the port."""
    if site.running.metrics_port is None:
        yield None
        return
    app = web.Application()
    app[SITE] = site
    app.router.add_get("/healthz", alive)
    app.router.add_get("/readyz", ready)
    app.router.add_get("/metrics", figures)
    runner = web.AppRunner(app, access_log=None, handle_signals=False, shutdown_timeout=1.0)
    await runner.setup()
    try:
        await web.TCPSite(runner, site.running.metrics_host, site.running.metrics_port).start()
        yield int(runner.addresses[0][1])
    finally:
        await runner.cleanup()
