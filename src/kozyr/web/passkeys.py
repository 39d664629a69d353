"""Passkeys: what a browser is asked with, and the check of what its authenticator has signed."""
from __future__ import annotations

import asyncio
import binascii
import hmac
import ipaddress
import struct
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, TypeVar
from urllib.parse import urlsplit

import msgspec
from aiohttp import web

from kozyr.app.people import Key, Person
from kozyr.app.ports import Clock, Entropy
from kozyr.web.guard import Refused
from kozyr.web.sessions import is_encrypted

CHALLENGE_MS = 300_000
"""So long a browser has to answer."""

ANSWERED_MAX = 20_000
RANDOM_BYTES, TIME_BYTES, SEAL_BYTES = 16, 6, 16
NAME = "Kozyr"

T = TypeVar("T")


class Party(NamedTuple):
    """For whom a passkey is: the host's name, and the origin of its pages."""

    host: str
    origin: str


def party_of(request: web.BaseRequest) -> Party:
    """
    Say for whom a passkey of this page is.

    Browsers have none for addresses that are numbers, nor for pages that are not encrypted, but for those of the machine itself.

    Raises: Refused.
    """
    scheme = "https" if is_encrypted(request) else "http"
    origin = request.headers.get("Origin") or f"{scheme}://{request.host}"
    asked = urlsplit(origin)
    host = (asked.hostname or "").lower()
    is_local = host == "localhost" or host.endswith(".localhost")
    if not host or is_number(host) or not (is_local or asked.scheme == "https"):
        raise Refused(422, "no_passkeys_here")
    return Party(host, origin)


def is_number(host: str) -> bool:
    """Whether a host is written as an address."""
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return False
    return True


class Passkeys:
    """
    Asks and checks. A challenge can be answered once, within five minutes, by whom it was for.

    It is sealed, not kept, so that any process on the database knows its own and another's. Which were answered a process remembers for
    as long as they last; between processes a passkey's last use makes all earlier challenges void (see `People.use_key`).
    """

    def __init__(self, clock: Clock, entropy: Entropy, seal: Callable[[str], bytes]) -> None:
        self._clock = clock
        self._entropy = entropy
        self._seal = seal
        self._answered: dict[bytes, int] = {}

    async def ask_new(self, party: Party, person: Person, known: Sequence[Key]) -> dict[str, Any]:
        """Say what a browser makes a new passkey with."""
        challenge = self._challenge(person.guest)
        return await aside(lambda: _creation(party, person, known, challenge))

    async def ask_login(self, party: Party) -> dict[str, Any]:
        """Say what a browser logs in with; which passkeys there are, it knows itself."""
        challenge = self._challenge(None)
        return await aside(lambda: _request(party, challenge))

    async def check_new(self, party: Party, person: Person, credential: dict[str, Any], name: str) -> Key:
        """
        Check a new passkey.

        Raises: Refused.
        """
        challenge, _ = self._take(credential, person.guest)
        found = await aside(lambda: _created(party, credential, challenge))
        if found is None:
            raise Refused(400, "bad_passkey")
        key, public_key, count = found
        return Key(key, person.guest, name, public_key, count, self._clock.now())

    async def check_login(self, party: Party, key: Key, public: str, credential: dict[str, Any]) -> tuple[int, int]:
        """
        Check the signature of a login with a passkey of the guest called *public*.

        Returns the new count of signatures, and when the login was begun.

        Raises: Refused.
        """
        challenge, begun = self._take(credential, None)
        handle = read_field(credential, "response", "userHandle")
        is_theirs = handle in (None, "") or decoded(handle) == public.encode()
        count = await aside(lambda: _signed(party, credential, challenge, key)) if is_theirs else None
        if count is None:
            raise Refused(401, "wrong_login")
        return count, begun

    def _challenge(self, guest: str | None) -> bytes:
        told = self._entropy.draw(RANDOM_BYTES) + self._clock.now().to_bytes(TIME_BYTES, "big")
        return told + self._sealed(told, guest)

    def _sealed(self, told: bytes, guest: str | None) -> bytes:
        return self._seal(f"passkey {guest or '-'} {told.hex()}")[:SEAL_BYTES]

    def _take(self, credential: dict[str, Any], guest: str | None) -> tuple[bytes, int]:
        """Take the challenge that a credential answers, and say when it was made; it is over then, whatever comes of it."""
        said = decoded(read_field(credential, "response", "clientDataJSON"))
        try:
            client = msgspec.json.decode(said or b"")
        except (msgspec.DecodeError, UnicodeError, RecursionError):
            client = None
        challenge = decoded(read_field(client, "challenge")) or b""
        told, seal = challenge[:-SEAL_BYTES], challenge[-SEAL_BYTES:]
        if len(told) != RANDOM_BYTES + TIME_BYTES or not hmac.compare_digest(seal, self._sealed(told, guest)):
            raise Refused(400, "bad_passkey")
        begun, now = int.from_bytes(told[RANDOM_BYTES:], "big"), self._clock.now()
        if not now - CHALLENGE_MS < begun <= now or challenge in self._answered:
            raise Refused(400, "bad_passkey")
        if len(self._answered) >= ANSWERED_MAX:
            self._answered = {each: until for each, until in self._answered.items() if until > now}
        self._answered[challenge] = begun + CHALLENGE_MS
        return challenge, begun


async def aside(work: Callable[[], T]) -> T:
    """Do what takes long, the first time since a library has to be loaded, elsewhere than in the event loop."""
    return await asyncio.to_thread(work)


def read_field(value: Any, *names: str) -> Any:
    """Read a field of a field of what somebody sent; None where there is none."""
    for name in names:
        value = value.get(name) if isinstance(value, dict) else None
    return value


def decoded(text: Any) -> bytes | None:
    """Read what a browser writes as base64url; None for everything else."""
    if not isinstance(text, str) or not text.isascii():
        return None
    try:
        return binascii.a2b_base64(text.replace("-", "+").replace("_", "/") + "=" * (-len(text) % 4))
    except binascii.Error:
        return None


def _creation(party: Party, person: Person, known: Sequence[Key], challenge: bytes) -> dict[str, Any]:
    import webauthn
    from webauthn.helpers import structs

    wanted = structs.AuthenticatorSelectionCriteria(
        resident_key=structs.ResidentKeyRequirement.REQUIRED, user_verification=structs.UserVerificationRequirement.PREFERRED
    )
    options = webauthn.generate_registration_options(
        rp_id=party.host,
        rp_name=NAME,
        user_name=person.name,
        user_id=person.public.encode(),
        user_display_name=person.name,
        challenge=challenge,
        timeout=CHALLENGE_MS,
        authenticator_selection=wanted,
        exclude_credentials=[structs.PublicKeyCredentialDescriptor(id=decoded(key.id) or b"") for key in known],
    )
    return dict(msgspec.json.decode(webauthn.options_to_json(options)))


def _request(party: Party, challenge: bytes) -> dict[str, Any]:
    import webauthn

    options = webauthn.generate_authentication_options(rp_id=party.host, challenge=challenge, timeout=CHALLENGE_MS)
    return dict(msgspec.json.decode(webauthn.options_to_json(options)))


def _created(party: Party, credential: dict[str, Any], challenge: bytes) -> tuple[str, bytes, int] | None:
    """Check what an authenticator has made: the passkey's id, its public key and count, or None."""
    import webauthn
    from webauthn.helpers import bytes_to_base64url
    from webauthn.helpers.exceptions import WebAuthnException

    try:
        made = webauthn.verify_registration_response(
            credential=credential, expected_challenge=challenge, expected_rp_id=party.host, expected_origin=party.origin
        )
    except (WebAuthnException, *GARBAGE):
        return None
    return bytes_to_base64url(made.credential_id), made.credential_public_key, made.sign_count


def _signed(party: Party, credential: dict[str, Any], challenge: bytes, key: Key) -> int | None:
    """Check what an authenticator has signed: its count of signatures, or None."""
    import webauthn
    from webauthn.helpers.exceptions import WebAuthnException

    try:
        signed = webauthn.verify_authentication_response(
            credential=credential,
            expected_challenge=challenge,
            expected_rp_id=party.host,
            expected_origin=party.origin,
            credential_public_key=key.public_key,
            credential_current_sign_count=key.count,
        )
    except (WebAuthnException, *GARBAGE):
        return None
    return signed.new_sign_count


GARBAGE = (ValueError, TypeError, KeyError, IndexError, AttributeError, struct.error, RecursionError, OverflowError)
"""What the library raises for bytes that are nothing at all."""
