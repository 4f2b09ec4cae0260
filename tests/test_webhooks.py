"""Signatures, next to those of the reference package."""

import base64
import json
import subprocess
import sys
import time
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import httpx
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from standardwebhooks import Webhook, WebhookVerificationError

from docsieve.webhooks import (
    SigningKeyInvalid,
    WebhookNotVerified,
    new_key_pair,
    new_secret,
    sign,
    verify_webhook,
)

EVENT = {"id": "0199", "type": "document.ready", "data": {"name": "Größe"}}
BODY = json.dumps(EVENT, ensure_ascii=False).encode()
NOW = 1_790_000_000
# The example of the specification.
SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"


def headers(*signatures: str, timestamp: int | str = NOW, message_id: str = "msg_1") -> dict[str, str]:
    return {
        "Webhook-Id": message_id,
        "Webhook-Timestamp": str(timestamp),
        "Webhook-Signature": " ".join(signatures),
    }


def signed(key: str = SECRET, timestamp: int = NOW) -> dict[str, str]:
    return headers(sign(key, "msg_1", timestamp, BODY), timestamp=timestamp)


def test_the_reference_package_verifies_our_signature() -> None:
    secret, now = new_secret(), int(time.time())

    assert Webhook(secret).verify(BODY, signed(secret, now)) == EVENT
    with pytest.raises(WebhookVerificationError):
        Webhook(new_secret()).verify(BODY, signed(secret, now))


def test_we_verify_the_signature_of_the_reference_package() -> None:
    now = datetime.now(UTC)
    signature = Webhook(SECRET).sign("msg_1", now, BODY.decode())

    assert verify_webhook(headers(signature, timestamp=int(now.timestamp())), BODY, SECRET) == EVENT


def test_the_example_of_the_specification_has_the_signature_printed_there() -> None:
    body = b'{"test": 2432232314}'

    signature = sign(SECRET, "msg_p5jXN8AQM9LWM0D4loKWxJek", 1_614_265_330, body)

    assert signature == "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="


def test_a_signature_of_a_private_key_is_ed25519_and_verified_with_the_public_one() -> None:
    private, public = new_key_pair()
    version, _, signature = sign(private, "msg_1", NOW, BODY).partition(",")

    assert (version, private[:5], public[:5]) == ("v1a", "whsk_", "whpk_")
    raw = base64.b64decode(public.removeprefix("whpk_"))
    Ed25519PublicKey.from_public_bytes(raw).verify(base64.b64decode(signature), b"msg_1.%d." % NOW + BODY)
    assert verify_webhook(signed(private), BODY, public, now=NOW) == EVENT
    with pytest.raises(WebhookNotVerified, match="No signature matches"):
        verify_webhook(signed(private), BODY, new_key_pair()[1], now=NOW)


def test_one_matching_signature_among_several_is_enough() -> None:
    private, public = new_key_pair()
    both = headers(
        "v2,later", "nonsense", sign(new_secret(), "msg_1", NOW, BODY), sign(SECRET, "msg_1", NOW, BODY),
        "v1a,!", sign(private, "msg_1", NOW, BODY),
    )  # fmt: skip

    assert verify_webhook(both, BODY, SECRET, now=NOW) == EVENT
    assert verify_webhook(both, BODY, public, now=NOW) == EVENT


@pytest.mark.parametrize(
    ("changed", "body"),
    [
        (signed(), BODY + b" "),
        ({**signed(), "Webhook-Id": "msg_2"}, BODY),
        ({**signed(), "Webhook-Timestamp": str(NOW + 1)}, BODY),
        (headers(sign(SECRET, "msg_1", NOW, BODY).replace("v1,", "v2,")), BODY),
        (headers(sign(SECRET, "msg_1", NOW, BODY).replace("v1,", "v1a,")), BODY),
        (headers("v1,"), BODY),
        (headers("v1,ü"), BODY),
    ],
    ids=["body", "id", "timestamp", "unknown-version", "other-version", "empty", "not-ascii"],
)
def test_a_changed_message_matches_no_signature(changed: dict[str, str], body: bytes) -> None:
    with pytest.raises(WebhookNotVerified, match="No signature matches"):
        verify_webhook(changed, body, SECRET, now=NOW)


@pytest.mark.parametrize("age", [-300, 0, 300])
def test_a_message_within_the_tolerance_is_accepted(age: int) -> None:
    assert verify_webhook(signed(), BODY, SECRET, now=NOW + age) == EVENT


@pytest.mark.parametrize(("age", "reason"), [(301, "is 301 seconds old"), (-301, "301 seconds in the future")])
def test_a_message_that_is_too_old_or_too_new_is_refused(age: int, reason: str) -> None:
    with pytest.raises(WebhookNotVerified, match=reason):
        verify_webhook(signed(), BODY, SECRET, now=NOW + age)


@pytest.mark.parametrize("timestamp", ["", "soon", "1e9", "-1", "1_790_000_000", "١٧٩٠٠٠٠٠٠٠", "9" * 400])
def test_a_timestamp_that_is_not_a_number_of_seconds_is_refused(timestamp: str) -> None:
    with pytest.raises(WebhookNotVerified, match="webhook-timestamp"):
        verify_webhook(headers(sign(SECRET, "msg_1", NOW, BODY), timestamp=timestamp), BODY, SECRET, now=NOW)


@pytest.mark.parametrize("name", ["Webhook-Id", "Webhook-Timestamp", "Webhook-Signature"])
def test_a_missing_header_is_named(name: str) -> None:
    incomplete = {key: value for key, value in signed().items() if key != name}

    with pytest.raises(WebhookNotVerified, match=f"The header {name.lower()} is missing"):
        verify_webhook(incomplete, BODY, SECRET, now=NOW)


@pytest.mark.parametrize("body", [b"[]", b"{", b"[" * 100_000, b"\xff"])
def test_a_body_that_is_not_a_json_object_is_refused_although_it_is_signed(body: bytes) -> None:
    with pytest.raises(WebhookNotVerified, match="not a JSON object"):
        verify_webhook(headers(sign(SECRET, "msg_1", NOW, body)), body, SECRET, now=NOW)


@pytest.mark.parametrize(
    "key", ["", "whsec_", "secret", "whsec_!!!", "whsec_c2hvcnQ=", "whpk_c2hvcnQ=", "whsec_" + "A" * 88]
)
def test_a_key_of_neither_kind_is_refused(key: str) -> None:
    with pytest.raises(SigningKeyInvalid):
        verify_webhook(headers("v2,x"), BODY, key, now=NOW)
    if not key.startswith("whpk_"):
        with pytest.raises(SigningKeyInvalid):
            sign(key, "msg_1", NOW, BODY)


def test_a_receiver_imports_nothing_of_the_server() -> None:
    told = subprocess.run(
        [sys.executable, "-c", "import sys, docsieve.webhooks; print(*sys.modules)"],
        capture_output=True, text=True, check=True,
    )  # fmt: skip

    loaded = {name for name in told.stdout.split() if name.startswith("docsieve")}
    errors = {name for name in loaded if name.startswith("docsieve.errors")}
    assert loaded - errors == {"docsieve", "docsieve.webhooks"}
    assert {"pydantic", "fastapi", "httpx", "cryptography", "asyncpg"}.isdisjoint(told.stdout.split())


async def test_the_receiver_in_the_documentation_accepts_a_signed_event_and_no_other() -> None:
    page = Path(__file__).parents[1] / "docs" / "webhooks-receiving.md"
    example: dict[str, Any] = {}
    exec(page.read_text().partition("```python\n")[2].partition("```")[0], example)

    transport = httpx.ASGITransport(app=example["app"])
    async with httpx.AsyncClient(transport=transport, base_url="http://receiver.test") as client:
        now = int(time.time())
        accepted = await client.post("/hooks", content=BODY, headers=signed(example["SECRET"], now))
        refused = await client.post("/hooks", content=BODY, headers=signed(new_secret(), now))

    assert (accepted.status_code, refused.status_code) == (204, 401)
