"""Signatures of webhooks, as described by Standard Webhooks (https://www.standardwebhooks.com).

A receiver needs one function, which imports nothing of the server:

    from docsieve.webhooks import WebhookNotVerified, verify_webhook

    event = verify_webhook(request.headers, request.body, "whsec_…")

Keys are text. `whsec_…` is a secret that sender and receiver share (signatures `v1`, HMAC-SHA256). `whsk_…` is a
private key of the sender and `whpk_…` the public key of its receivers (signatures `v1a`, Ed25519).
"""

import base64
import hashlib
import hmac
import json
import secrets
import time
from collections.abc import Iterable, Mapping
from typing import Any

from docsieve.errors.outbound import SigningKeyInvalid, WebhookNotVerified

__all__ = ["SigningKeyInvalid", "WebhookNotVerified", "new_key_pair", "new_secret", "sign", "verify_webhook"]

ID_HEADER = "webhook-id"
TIMESTAMP_HEADER = "webhook-timestamp"
SIGNATURE_HEADER = "webhook-signature"
TOLERANCE_SECONDS = 300.0

_SECRET, _PRIVATE, _PUBLIC = "whsec_", "whsk_", "whpk_"
_SECRET_BYTES = 32
_MIN_SECRET_BYTES, _MAX_SECRET_BYTES = 24, 64
_SEED_BYTES = 32
_MAX_TIMESTAMP_DIGITS = 12


def new_secret() -> str:
    return _SECRET + _encoded(secrets.token_bytes(_SECRET_BYTES))


def new_key_pair() -> tuple[str, str]:
    """A private key to sign with, and the public key for receivers."""
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    private = Ed25519PrivateKey.generate()
    return _PRIVATE + _encoded(private.private_bytes_raw()), _PUBLIC + _encoded(private.public_key().public_bytes_raw())


def sign(key: str, message_id: str, timestamp: int, body: bytes) -> str:
    """One signature with a secret or a private key. Several in a header are separated by spaces.

    Raises SigningKeyInvalid.
    """
    content = _content(message_id, str(timestamp), body)
    if key.startswith(_PRIVATE):
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

        # Some senders store the public key after the seed.
        seed = _decoded(key, _PRIVATE)[:_SEED_BYTES]
        if len(seed) != _SEED_BYTES:
            raise SigningKeyInvalid
        return "v1a," + _encoded(Ed25519PrivateKey.from_private_bytes(seed).sign(content))
    return "v1," + _encoded(hmac.digest(_shared(key), content, hashlib.sha256))


def verify_webhook(
    headers: Mapping[str, str],
    body: bytes | str,
    key: str,
    *,
    tolerance_seconds: float = TOLERANCE_SECONDS,
    now: float | None = None,
) -> dict[str, Any]:
    """Check who sent a webhook and when, and return its JSON object.

    `body` is the body exactly as it was received, before any parsing. `key` is the secret of the endpoint, or its
    public key. A header can hold several signatures, for example while a secret is being rotated: one must match.

    Raises WebhookNotVerified with the reason, and SigningKeyInvalid if `key` is neither kind of key.
    """
    received = {name.lower(): value for name, value in headers.items()}
    missing = [name for name in (ID_HEADER, TIMESTAMP_HEADER, SIGNATURE_HEADER) if not received.get(name)]
    if missing:
        raise WebhookNotVerified(f"The header {missing[0]} is missing.")
    timestamp = received[TIMESTAMP_HEADER]
    _check_age(timestamp, time.time() if now is None else now, tolerance_seconds)
    raw = body.encode() if isinstance(body, str) else body
    if not _matches(key, _content(received[ID_HEADER], timestamp, raw), received[SIGNATURE_HEADER]):
        raise WebhookNotVerified("No signature matches. The secret differs, or the message was changed.")
    try:
        message = json.loads(raw)
    except (ValueError, RecursionError):
        message = None
    if not isinstance(message, dict):
        raise WebhookNotVerified("The body is not a JSON object.")
    return message


def _check_age(timestamp: str, now: float, tolerance: float) -> None:
    if not (timestamp.isascii() and timestamp.isdigit() and len(timestamp) <= _MAX_TIMESTAMP_DIGITS):
        raise WebhookNotVerified(f"The header {TIMESTAMP_HEADER} is not a number of seconds.")
    age = now - int(timestamp)
    if age > tolerance:
        raise WebhookNotVerified(f"The message is {age:.0f} seconds old, at most {tolerance:g} are accepted.")
    if age < -tolerance:
        raise WebhookNotVerified(f"The message is dated {-age:.0f} seconds in the future. Check the clocks.")


def _matches(key: str, content: bytes, header: str) -> bool:
    """Whether one of the signatures is ours. Those of other versions are skipped."""
    signatures = [each.partition(",") for each in header.split(" ")]
    if key.startswith(_PUBLIC):
        return _any_verifies(_decoded(key, _PUBLIC), content, [given for kind, _, given in signatures if kind == "v1a"])
    expected = _encoded(hmac.digest(_shared(key), content, hashlib.sha256)).encode()
    return any(hmac.compare_digest(expected, given.encode()) for kind, _, given in signatures if kind == "v1")


def _any_verifies(public: bytes, content: bytes, signatures: Iterable[str]) -> bool:
    from cryptography.exceptions import InvalidSignature
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

    try:
        verifier = Ed25519PublicKey.from_public_bytes(public)
    except ValueError:
        raise SigningKeyInvalid from None
    for given in signatures:
        try:
            verifier.verify(base64.b64decode(given, validate=True), content)
        except (InvalidSignature, ValueError):
            continue
        return True
    return False


def _content(message_id: str, timestamp: str, body: bytes) -> bytes:
    return f"{message_id}.{timestamp}.".encode() + body


def _shared(key: str) -> bytes:
    if not key.startswith(_SECRET):
        raise SigningKeyInvalid
    secret = _decoded(key, _SECRET)
    if not _MIN_SECRET_BYTES <= len(secret) <= _MAX_SECRET_BYTES:
        raise SigningKeyInvalid(f"A secret has {_MIN_SECRET_BYTES} to {_MAX_SECRET_BYTES} bytes, as base64.")
    return secret


def _encoded(value: bytes) -> str:
    return base64.b64encode(value).decode()


def _decoded(key: str, prefix: str) -> bytes:
    try:
        return base64.b64decode(key.removeprefix(prefix), validate=True)
    except ValueError:
        raise SigningKeyInvalid from None
