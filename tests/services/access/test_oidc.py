import asyncio
import hmac
import json
import time
from base64 import urlsafe_b64encode
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from joserfc import jwt
from joserfc.jwk import ECKey, OctKey, RSAKey

from docsieve.errors import Unavailable
from docsieve.errors.access import TokenInvalid
from docsieve.services.access import oidc
from docsieve.services.access.oidc import OidcVerifier
from docsieve.settings import OidcCaller, Settings

ISSUER = "https://accounts.google.com"
AUDIENCE = "https://docsieve.example/api/v1/maintenance/prune_jobs"
EMAIL = "scheduler@project.iam.gserviceaccount.com"
RSA = RSAKey.generate_key(2048, {"kid": "rsa", "use": "sig"}, private=True)
EC = ECKey.generate_key("P-256", {"kid": "ec", "use": "sig"}, private=True)
OTHER = RSAKey.generate_key(2048, {"kid": "rsa"}, private=True)
SECRET = OctKey.generate_key(256, {"kid": "secret"})
ALL_ALGORITHMS = ["none", "HS256", "RS256", "RS512", "PS256", "ES256", "ES384"]

Jwks = list[dict[str, Any]]
PUBLIC: Jwks = [dict(RSA.as_dict(private=False)), dict(EC.as_dict(private=False))]

PADDED = json.dumps({"keys": PUBLIC}).encode() + b" " * 300_000


def google_claims(**changed: object) -> dict[str, Any]:
    """As in a token of Cloud Scheduler."""
    now = int(time.time())
    claims = {
        "aud": AUDIENCE, "azp": "1084", "email": EMAIL, "email_verified": True, "exp": now + 3600, "iat": now,
        "iss": ISSUER, "sub": "1084",
    }  # fmt: skip
    return {name: value for name, value in {**claims, **changed}.items() if value is not ...}


def token(key: Any = RSA, alg: str = "RS256", *, header: dict[str, Any] | None = None, **claims: object) -> str:
    fields = {"alg": alg, "kid": key.kid, **(header or {})}
    return jwt.encode(fields, google_claims(**claims), key, algorithms=ALL_ALGORITHMS)


@dataclass
class Issuer:
    """Serves `content` over HTTP, and counts."""

    url: str = ""
    content: bytes = b""
    status: int = 200
    location: str = ""
    fetched: int = 0


@asynccontextmanager
async def serving(keys: Jwks) -> AsyncIterator[Issuer]:
    issuer = Issuer(content=json.dumps({"keys": keys}).encode())

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        issuer.fetched += 1
        writer.write(
            b"HTTP/1.1 %d X\r\nLocation: %s\r\nConnection: close\r\n\r\n" % (issuer.status, issuer.location.encode())
        )
        writer.write(issuer.content)
        writer.close()

    server = await asyncio.start_server(answer, "127.0.0.1")
    issuer.url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/certs"
    async with server:
        yield issuer


@pytest.fixture
def jwks_file(tmp_path: Path) -> str:
    path = tmp_path / "jwks of issuer.json"
    path.write_text(json.dumps({"keys": PUBLIC}))
    return path.as_uri()


@pytest.fixture
def verifier(jwks_file: str) -> OidcVerifier:
    return OidcVerifier(OidcCaller(audience=AUDIENCE, email=EMAIL, jwks=jwks_file))


@pytest.mark.parametrize(("key", "alg"), [(RSA, "RS256"), (EC, "ES256")], ids=["RS256", "ES256"])
async def test_a_token_of_cloud_scheduler_is_accepted(verifier: OidcVerifier, key: Any, alg: str) -> None:
    assert await verifier.verify(token(key, alg)) == "1084"
    assert await verifier.verify(token(key, alg, aud=["https://another.example", AUDIENCE])) == "1084"


@pytest.mark.parametrize(
    ("changed", "reason"),
    [
        ({"aud": "https://another.example"}, "aud"),
        ({"aud": AUDIENCE + "/"}, "aud"),
        ({"aud": []}, "aud"),
        ({"aud": ...}, "aud"),
        ({"iss": "https://accounts.google.com.evil.example"}, "iss"),
        ({"iss": [ISSUER]}, "iss"),
        ({"iss": ...}, "iss"),
        ({"exp": int(time.time()) - 120}, "expired"),
        ({"exp": ...}, "exp"),
        ({"exp": "never"}, "exp"),
        ({"nbf": int(time.time()) + 3600}, "nbf"),
        ({"iat": int(time.time()) + 3600}, "iat"),
        ({"email": "someone@another.iam.gserviceaccount.com"}, "email"),
        ({"email": EMAIL.upper()}, "email"),
        ({"email": ...}, "email"),
        ({"email_verified": False}, "email"),
        ({"email_verified": "true"}, "email"),
        ({"email_verified": ...}, "email"),
    ],
)
async def test_a_token_with_a_wrong_claim_is_refused(
    verifier: OidcVerifier, changed: dict[str, Any], reason: str
) -> None:
    with pytest.raises(TokenInvalid, match=reason):
        await verifier.verify(token(**changed))


async def test_a_caller_can_be_named_by_subject(jwks_file: str) -> None:
    by_subject = OidcVerifier(OidcCaller(audience=AUDIENCE, subject="1084", jwks=jwks_file))

    assert await by_subject.verify(token(email=...)) == "1084"
    with pytest.raises(TokenInvalid, match="sub"):
        await by_subject.verify(token(sub="1085"))


def handmade(alg: str, secret: bytes = b"") -> str:
    """A token that the library refuses to make."""
    header = json.dumps({"alg": alg, "kid": "rsa", "typ": "JWT"}).encode()
    signed = b".".join(urlsafe_b64encode(part).rstrip(b"=") for part in (header, json.dumps(google_claims()).encode()))
    signature = hmac.digest(secret, signed, "sha256") if secret else b""
    return f"{signed.decode()}.{urlsafe_b64encode(signature).rstrip(b'=').decode()}"


def forged() -> dict[str, str]:
    """Tokens that are not signed with the issuer's keys, or not in a way that is accepted."""
    body = token(OTHER, sub="1085").split(".")[1]
    header, payload, signature = token().split(".")
    return {
        "none": handmade("none"),
        "none-in-capitals": handmade("NONE"),
        "other-key": token(OTHER),
        "other-payload": ".".join([header, body, signature]),
        "no-signature": f"{header}.{payload}.",
        "public-key-as-secret": handmade("HS256", RSA.as_pem(private=False)),
        "shared-secret": token(SECRET, "HS256"),
        "shared-secret-without-kid": token(SECRET, "HS256", header={"kid": "rsa"}),
        "rs512": token(RSA, "RS512"),
        "ps256": token(RSA, "PS256"),
        "own-key-in-header": token(OTHER, header={"jwk": dict(OTHER.as_dict(private=False))}),
        "own-key-by-link": token(OTHER, header={"jku": "http://127.0.0.1:1/", "x5u": "http://127.0.0.1:1/"}),
        "empty-key-id": token(header={"kid": ""}),
        "unknown-key": token(OTHER, header={"kid": "unknown"}),
    }


@pytest.mark.parametrize("kind", forged())
async def test_a_forged_token_is_refused(tmp_path: Path, kind: str) -> None:
    """Even if the issuer's set contains a shared secret."""
    path = tmp_path / "jwks.json"
    path.write_text(json.dumps({"keys": [*PUBLIC, dict(SECRET.as_dict())]}))
    verifier = OidcVerifier(OidcCaller(audience=AUDIENCE, email=EMAIL, jwks=path.as_uri()))

    assert await verifier.verify(token())
    with pytest.raises(TokenInvalid):
        await verifier.verify(forged()[kind])


@pytest.mark.parametrize(
    "text",
    ["", ".", "..", "a.b.c", "e30.e30.", "ds_key_secret", "é.é.é", "[" * 5000, token() + "A" * 8192, token() + ".x",
     "eyJhbGciOiJSUzI1NiIsImtpZCI6W119.e30.", "eyJhbGciOltdfQ.e30.", "W10.e30."],
    ids=range(13),
)  # fmt: skip
async def test_what_is_not_a_token_is_refused(verifier: OidcVerifier, text: str) -> None:
    with pytest.raises(TokenInvalid):
        await verifier.verify(text)


@pytest.mark.parametrize(
    ("key", "alg"),
    [
        (RSAKey.generate_key(1024, {"kid": "weak"}, private=True), "RS256"),
        (RSAKey.generate_key(2048, {"kid": "enc", "use": "enc"}, private=True), "RS256"),
        (ECKey.generate_key("P-384", {"kid": "curve"}, private=True), "ES384"),
    ],
    ids=["1024-bits", "for-encryption", "another-curve"],
)
@pytest.mark.filterwarnings("ignore:Key size")
async def test_a_key_of_the_issuer_that_is_too_weak_or_for_something_else_is_not_used(
    tmp_path: Path, key: Any, alg: str
) -> None:
    path = tmp_path / "jwks.json"
    path.write_text(json.dumps({"keys": [dict(key.as_dict(private=False)), {"kty": "RSA"}, "nonsense", *PUBLIC]}))
    verifier = OidcVerifier(OidcCaller(audience=AUDIENCE, email=EMAIL, jwks=path.as_uri()))
    unmarked = {"kid": key.kid, **{name: value for name, value in key.as_dict(private=True).items() if name != "use"}}

    assert await verifier.verify(token())
    with pytest.raises(TokenInvalid):
        await verifier.verify(token(type(key).import_key(unmarked), alg))


async def test_keys_are_fetched_once_and_again_for_an_unknown_key(monkeypatch: pytest.MonkeyPatch) -> None:
    async with serving(PUBLIC[1:]) as issuer:
        verifier = OidcVerifier(OidcCaller(audience=AUDIENCE, email=EMAIL, jwks=issuer.url))
        for _ in range(5):
            await verifier.verify(token(EC, "ES256"))
        assert issuer.fetched == 1

        issuer.content = json.dumps({"keys": PUBLIC}).encode()
        with pytest.raises(TokenInvalid, match="unknown key"):
            await verifier.verify(token())
        assert issuer.fetched == 1
        monkeypatch.setattr(oidc, "MIN_PAUSE_SECONDS", 0.0)
        await verifier.verify(token())
        assert issuer.fetched == 2


async def test_many_tokens_with_unknown_keys_cause_one_fetch() -> None:
    async with serving(PUBLIC) as issuer:
        verifier = OidcVerifier(OidcCaller(audience=AUDIENCE, email=EMAIL, jwks=issuer.url))
        unknown = [verifier.verify(token(OTHER, header={"kid": f"unknown-{at}"})) for at in range(50)]
        results = await asyncio.gather(*unknown, return_exceptions=True)

    assert {type(each) for each in results} == {TokenInvalid}
    assert issuer.fetched == 1


async def test_known_keys_are_used_while_the_issuer_is_down(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(oidc, "KEEP_SECONDS", 0.0)
    monkeypatch.setattr(oidc, "MIN_PAUSE_SECONDS", 0.0)
    async with serving(PUBLIC) as issuer:
        verifier = OidcVerifier(OidcCaller(audience=AUDIENCE, email=EMAIL, jwks=issuer.url))
        await verifier.verify(token())
        issuer.status = 500
        await verifier.verify(token())
        assert issuer.fetched == 2

        monkeypatch.setattr(oidc, "STALE_SECONDS", 0.0)
        with pytest.raises(Unavailable):
            await verifier.verify(token())


@pytest.mark.parametrize("content", [b"", b"[]", b"{}", b"<html>", b'{"keys": 1}', b"[" * 100_000, PADDED])
async def test_without_keys_no_token_is_judged(content: bytes) -> None:
    async with serving([]) as issuer:
        issuer.content = content
        verifier = OidcVerifier(OidcCaller(audience=AUDIENCE, email=EMAIL, jwks=issuer.url))
        for _ in range(3):
            with pytest.raises(Unavailable):
                await verifier.verify(token())

    assert issuer.fetched == 1


async def test_a_redirect_of_the_key_address_is_not_followed() -> None:
    async with serving(PUBLIC) as issuer, serving([]) as moved:
        moved.status, moved.location = 302, issuer.url
        verifier = OidcVerifier(OidcCaller(audience=AUDIENCE, email=EMAIL, jwks=moved.url))
        with pytest.raises(Unavailable):
            await verifier.verify(token())

    assert issuer.fetched == 0


def test_the_setting_names_audience_and_caller() -> None:
    caller = Settings.model_validate({"maintenance_oidc": f"audience={AUDIENCE}, email={EMAIL}"}).maintenance_oidc

    assert caller == OidcCaller(audience=AUDIENCE, email=EMAIL)
    assert (caller.issuer, caller.jwks) == (ISSUER, "https://www.googleapis.com/oauth2/v3/certs")


@pytest.mark.parametrize(
    "value",
    ["", "audience=x", f"email={EMAIL}", f"audience=x,email={EMAIL},jwks=/etc/jwks.json", f"audience=x,mail={EMAIL}"],
)
def test_a_setting_that_would_accept_anyone_is_refused(value: str) -> None:
    with pytest.raises(ValueError, match="maintenance_oidc"):
        Settings.model_validate({"maintenance_oidc": value})
