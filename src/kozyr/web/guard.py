"""What every request passes: origin, security headers, and errors that are answered in our own form."""
from __future__ import annotations

import logging
import re
import secrets
import time
from collections.abc import Awaitable, Callable
from contextvars import ContextVar

import msgspec
from aiohttp import web

from kozyr.app.counts import COUNTS
from kozyr.web.allowances import PROXIES
from kozyr.web.sessions import is_same_origin
from kozyr.wire.http import Problem

log = logging.getLogger(__name__)

REQUEST: ContextVar[str] = ContextVar("request", default="")
"""The id of the request that is answered, also for as long as its websocket is open; each line of the log has it."""

REQUEST_ID = re.compile(r"[A-Za-z0-9._-]{1,64}")

Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]

HEADERS = {
    "Content-Security-Policy": "; ".join(
        (
            "default-src 'none'",
            "script-src 'self'",
            "style-src 'self'",
            # Style attributes in the client's templates; they can load and run nothing.
            "style-src-attr 'unsafe-inline'",
            "img-src 'self' data:",
            "font-src 'self'",
            "media-src 'self'",
            "connect-src 'self'",
            "manifest-src 'self'",
            "worker-src 'self'",
            "base-uri 'none'",
            "form-action 'self'",
            "frame-ancestors 'none'",
        )
    ),
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
}

CODES = {404: "no_page", 405: "no_method", 413: "too_big"}


class Refused(Exception):
    """Leaves a handler with a problem."""

    def __init__(self, status: int, code: str, about: str = "") -> None:
        super().__init__(code)
        self.status = status
        self.problem = Problem(code, about)


def shown(text: str) -> str:
    """Return what was sent as text that can be sent back: short, and without bytes that are none."""
    return text.encode(errors="replace").decode()[:100]


def answer(body: object, status: int = 200) -> web.Response:
    """Answer with a body of the interface."""
    headers = {"Cache-Control": "no-store"}
    return web.Response(body=msgspec.json.encode(body), status=status, content_type="application/json", headers=headers)


def request_id(request: web.BaseRequest) -> str:
    """Name a request: as a proxy of ours does that has named it, or by chance."""
    given = request.headers.get("X-Request-Id", "")
    return given if request.remote in PROXIES and REQUEST_ID.fullmatch(given) else secrets.token_hex(8)


@web.middleware
async def named(request: web.Request, handler: Handler) -> web.StreamResponse:
    """Give every request an id, and log how it was answered: no query, no body, no cookie."""
    REQUEST.set(request_id(request))
    began = time.monotonic()
    response = await handler(request)
    if log.isEnabledFor(logging.INFO):
        took = round((time.monotonic() - began) * 1000, 1)
        log.info("%s %s", request.method, shown(request.path), extra={"status": response.status, "ms": took})
    return response


@web.middleware
async def guarded(request: web.Request, handler: Handler) -> web.StreamResponse:
    """Let only our own pages change anything, and answer every error with a code."""
    try:
        is_changing = request.method not in ("GET", "HEAD", "OPTIONS") or "Upgrade" in request.headers
        if is_changing and not is_same_origin(request):
            raise Refused(403, "bad_origin", shown(request.headers.get("Origin", "")))
        return await handler(request)
    except Refused as refused:
        return answer(refused.problem, refused.status)
    except web.RequestPayloadError:
        # A body that is not what its headers say, such as one that is not compressed.
        return answer(Problem("bad_body"), 400)
    except ConnectionError:
        # The asker has gone; there is nobody to answer.
        raise
    except web.HTTPException as error:
        if error.status < 400:
            raise
        response = answer(Problem(CODES.get(error.status, "bad_body")), error.status)
        if "Allow" in error.headers:
            response.headers["Allow"] = error.headers["Allow"]
        return response
    except Exception:  # the process's edge
        log.exception("%s %s failed", request.method, shown(request.path))
        return answer(Problem("internal"), 500)


async def secured(request: web.BaseRequest, response: web.StreamResponse) -> None:
    """Put the security headers on a response that is about to be sent."""
    COUNTS.http[response.status] += 1
    response.headers.update(HEADERS)
    if name := REQUEST.get():
        response.headers["X-Request-Id"] = name
    response.headers.pop("Server", None)
