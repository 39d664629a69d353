"""An authenticator for tests: it makes keys and signs with them, as the WebAuthn standard says (levels 2, 6.1 and 6.5)."""
from __future__ import annotations

import base64
import hashlib
import json
import struct
from dataclasses import dataclass, field
from typing import Any

import cbor2
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec

PRESENT, VERIFIED, ATTESTED = 0x01, 0x04, 0x40
ES256 = -7


def text(data: bytes) -> str:
    """Write bytes as a browser does."""
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def data(written: str) -> bytes:
    """Read what a browser writes."""
    return base64.urlsafe_b64decode(written + "=" * (-len(written) % 4))


@dataclass
class Authenticator:
    """One passkey on one device, and the browser that speaks for a page at an origin."""

    origin: str
    id: bytes = b"a passkey of a test, no. 1"
    key: ec.EllipticCurvePrivateKey = field(default_factory=lambda: ec.generate_private_key(ec.SECP256R1()))
    count: int = 0
    handle: str = ""

    def create(self, options: dict[str, Any], **other: Any) -> dict[str, Any]:
        """Answer `navigator.credentials.create`; *other* replaces what the browser says."""
        assert any(each["alg"] == ES256 for each in options["pubKeyCredParams"])
        self.handle = options["user"]["id"]
        numbers = self.key.public_key().public_numbers()
        cose = {1: 2, 3: ES256, -1: 1, -2: numbers.x.to_bytes(32, "big"), -3: numbers.y.to_bytes(32, "big")}
        made = bytes(16) + struct.pack(">H", len(self.id)) + self.id + cbor2.dumps(cose)
        signed = self._data(other.get("host", options["rp"]["id"]), ATTESTED) + made
        response = {
            "clientDataJSON": self._client("webauthn.create", options["challenge"], other),
            "attestationObject": text(cbor2.dumps({"fmt": "none", "attStmt": {}, "authData": signed})),
            "transports": ["internal"],
        }
        return self._credential(response)

    def get(self, options: dict[str, Any], **other: Any) -> dict[str, Any]:
        """Answer `navigator.credentials.get`."""
        self.count += 1
        client = self._client("webauthn.get", options["challenge"], other)
        told = self._data(other.get("host", options["rpId"]), 0)
        signature = other.get("key", self.key).sign(told + hashlib.sha256(data(client)).digest(), ec.ECDSA(hashes.SHA256()))
        response = {"clientDataJSON": client, "authenticatorData": text(told), "signature": text(signature)}
        return self._credential({**response, "userHandle": other.get("handle", self.handle)})

    def _credential(self, response: dict[str, Any]) -> dict[str, Any]:
        name = text(self.id)
        return {"id": name, "rawId": name, "type": "public-key", "clientExtensionResults": {}, "response": response}

    def _client(self, kind: str, challenge: str, other: dict[str, Any]) -> str:
        said = {"type": other.get("type", kind), "challenge": challenge, "origin": other.get("origin", self.origin), "crossOrigin": False}
        return text(json.dumps(said).encode())

    def _data(self, host: str, flags: int) -> bytes:
        return hashlib.sha256(host.encode()).digest() + bytes([PRESENT | VERIFIED | flags]) + struct.pack(">I", self.count)
