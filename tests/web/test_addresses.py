"""Whom limits count: the address that a request comes from, as far as it can be believed."""
from __future__ import annotations

import pytest
from aiohttp.test_utils import make_mocked_request
from multidict import CIMultiDict

from kozyr.web.allowances import address_of
from kozyr.web.sessions import is_encrypted


def address(*forwarded: str, remote: str = "127.0.0.1") -> str:
    request = make_mocked_request("GET", "/", CIMultiDict([("X-Forwarded-For", entry) for entry in forwarded]))
    return address_of(request.clone(remote=remote))


@pytest.mark.parametrize(
    ("spelt", "counted"),
    [
        ("198.51.100.7", "198.51.100.7"),
        ("::ffff:198.51.100.7", "198.51.100.7"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("2001:db8::5", "2001:db8::/64"),
        ("2001:db8::9:8:7:6", "2001:db8::/64"),
        ("2001:0DB8:0:0::6", "2001:db8::/64"),
        ("somewhere", "somewhere"),
    ],
)
def test_a_household_is_counted_as_one_however_it_is_spelt(spelt: str, counted: str) -> None:
    """
    All addresses of version 6 that one household has are one, also where blocks of zeros are left out.
    """
    assert counted == address(spelt)
    assert counted == address(remote=spelt)


@pytest.mark.parametrize(
    "forwarded",
    [("203.0.113.1, 198.51.100.7",), ("203.0.113.1", "198.51.100.7"), ("203.0.113.1", "203.0.113.2,198.51.100.7")],
)
def test_only_what_the_proxy_has_added_is_believed(forwarded: tuple[str, ...]) -> None:
    """
    A proxy may add its entry to the header that the asker has sent, or send a second one: it is the last in any case.
    """
    assert "198.51.100.7" == address(*forwarded)


def test_nobody_but_a_proxy_is_believed() -> None:
    """
    Who connects from elsewhere is counted by the address that they connect from.
    """
    assert "198.51.100.9" == address("203.0.113.1", remote="198.51.100.9")


def test_the_last_word_on_encryption_counts() -> None:
    """
    Of two headers the proxy's own is the last.
    """
    said = CIMultiDict([("X-Forwarded-Proto", "https"), ("X-Forwarded-Proto", "http")])
    assert not is_encrypted(make_mocked_request("GET", "/", said).clone(remote="127.0.0.1"))
