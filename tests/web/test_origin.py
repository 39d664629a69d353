"""Whether a request comes from our own page."""
from __future__ import annotations

import pytest
from aiohttp.test_utils import make_mocked_request

from kozyr.web.sessions import is_same_origin


@pytest.mark.parametrize(
    ("host", "origin"),
    [
        ("example.org", None), ("example.org", "http://example.org"), ("Example.org", "http://example.ORG"),
        ("example.org:80", "http://example.org"),
        ("example.org", "http://example.org:80"), ("example.org:443", "https://example.org"), ("example.org", "https://example.org:443"),
        ("example.org:8000", "http://example.org:8000"), ("[::1]:80", "http://[::1]"), ("[::1]", "http://[::1]:80"),
        ("[::1]:8000", "http://[::1]:8000"),
    ],
)  # fmt: skip
def test_our_own_pages_may_change_things(host: str, origin: str | None) -> None:
    """A browser leaves out the port that its scheme has by default; a proxy may write it."""
    assert is_same_origin(make_mocked_request("POST", "/", {"Host": host} | ({} if origin is None else {"Origin": origin})))


@pytest.mark.parametrize(
    ("host", "origin"),
    [
        ("example.org", "http://example.com"), ("example.org:443", "http://example.org"), ("example.org:80", "https://example.org"),
        ("example.org", "http://example.org:8000"), ("example.org:8000", "http://example.org"), ("example.org", "null"),
        ("example.org", ""),
        ("example.org", "example.org"), ("example.org", "http://example.org.evil.net"), ("example.org", "http://[example.org"),
        ("", "null"),
        ("[::1]", "http://[::2]"), ("example.org", "http://evil@example.org"), ("example.org", "http://example.org:"),
    ],
)  # fmt: skip
def test_pages_of_others_may_not(host: str, origin: str) -> None:
    """Another host, another port, or no page that one could name."""
    assert not is_same_origin(make_mocked_request("POST", "/", {"Host": host, "Origin": origin}))
