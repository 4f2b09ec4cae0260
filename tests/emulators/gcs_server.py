"""A Google Cloud Storage server on loopback: the XML API as obstore uses it, with real checks of credentials.

It verifies the self-signed tokens of a service account and signed URLs (V4) with the account's public key, and its
own clock can be wrong. Objects are kept in memory, so it runs as a separate process:
`python -m tests.emulators.gcs_server <folder>` writes the key file of its account to the folder and prints its port.
"""

import base64
import hashlib
import json
import re
import socket
import sys
import threading
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from itertools import count
from pathlib import Path
from typing import Any
from urllib.parse import quote, unquote
from xml.sax.saxutils import escape

import uvicorn
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import padding, rsa
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

ACCOUNT = "docsieve@test.iam.gserviceaccount.com"
_STORED_HEADERS = ("content-type", "content-disposition", "cache-control")
_ALLOWED_SKEW = timedelta(minutes=10)


@dataclass(frozen=True)
class Stored:
    content: bytes
    etag: str
    generation: int
    headers: dict[str, str]
    modified: datetime


@dataclass
class Bucket:
    objects: dict[str, Stored] = field(default_factory=dict)
    uploads: dict[str, dict[int, bytes]] = field(default_factory=dict)
    upload_headers: dict[str, dict[str, str]] = field(default_factory=dict)


class Refused(Exception):
    def __init__(self, status: int, code: str) -> None:
        super().__init__(code)
        self.response = Response(f"<Error><Code>{code}</Code></Error>", status, media_type="application/xml")


class Server:
    def __init__(self, public: rsa.RSAPublicKey) -> None:
        self._public = public
        self._buckets: dict[str, Bucket] = {}
        self._numbers = count(1)
        self._clock_off = timedelta(0)

    def now(self) -> datetime:
        return datetime.now(UTC) + self._clock_off

    async def control(self, request: Request) -> Response:
        """What tests do out of band: create buckets, move the clock, count unfinished uploads."""
        given = await request.json()
        if "clock_off_seconds" in given:
            self._clock_off = timedelta(seconds=given["clock_off_seconds"])
        if "bucket" in given:
            bucket = self._buckets.setdefault(given["bucket"], Bucket())
            return Response(json.dumps({"unfinished": len(bucket.uploads)}))
        return Response("{}")

    async def handle(self, request: Request) -> Response:
        try:
            self._check_access(request)
            name, _, key = request.scope["raw_path"].decode().lstrip("/").partition("/")
            if (bucket := self._buckets.get(unquote(name))) is None:
                raise Refused(404, "NoSuchBucket")
            if not key:
                return self._list(bucket, request)
            return await self._object(bucket, unquote(key), request)
        except Refused as refused:
            return refused.response

    async def _object(self, bucket: Bucket, key: str, request: Request) -> Response:
        query = request.query_params
        match request.method:
            case "GET" | "HEAD":
                return _read(bucket, key, request)
            case "DELETE" if "uploadId" in query:
                bucket.uploads.pop(query["uploadId"], None)
                return Response(status_code=204)
            case "DELETE":
                if bucket.objects.pop(key, None) is None:
                    raise Refused(404, "NoSuchKey")
                return Response(status_code=204)
            case "PUT" if "uploadId" in query:
                part = await request.body()
                self._upload(bucket, query["uploadId"])[int(query["partNumber"])] = part
                return Response(headers={"ETag": _etag(part)})
            case "PUT":
                return self._put(bucket, key, request, await request.body())
            case "POST" if "uploads" in query:
                upload_id = f"upload-{next(self._numbers)}"
                bucket.uploads[upload_id] = {}
                bucket.upload_headers[upload_id] = _kept(request)
                return _xml("InitiateMultipartUploadResult", f"<UploadId>{upload_id}</UploadId>")
            case "POST" if "uploadId" in query:
                return self._complete(bucket, key, request, (await request.body()).decode())
        raise Refused(405, "MethodNotAllowed")

    def _put(self, bucket: Bucket, key: str, request: Request, content: bytes) -> Response:
        headers = _kept(request)
        if source := request.headers.get("x-goog-copy-source"):
            of, _, source_key = unquote(source).lstrip("/").partition("/")
            found = self._buckets[of].objects.get(source_key)
            if found is None:
                raise Refused(404, "NoSuchKey")
            content, headers = found.content, found.headers
        stored = self._store(bucket, key, content, headers, request)
        if source:
            return _xml("CopyObjectResult", f"<ETag>{escape(stored.etag)}</ETag>")
        return Response(headers=_version(stored))

    def _store(self, bucket: Bucket, key: str, content: bytes, headers: dict[str, str], request: Request) -> Stored:
        expected = request.headers.get("x-goog-if-generation-match")
        current = bucket.objects.get(key)
        if expected is not None and int(expected) != (current.generation if current else 0):
            raise Refused(412, "PreconditionFailed")
        modified = datetime.now(UTC).replace(microsecond=0)
        stored = Stored(content, _etag(content), next(self._numbers), headers, modified)
        bucket.objects[key] = stored
        return stored

    def _upload(self, bucket: Bucket, upload_id: str) -> dict[int, bytes]:
        if upload_id not in bucket.uploads:
            raise Refused(404, "NoSuchUpload")
        return bucket.uploads[upload_id]

    def _complete(self, bucket: Bucket, key: str, request: Request, body: str) -> Response:
        upload_id = request.query_params["uploadId"]
        parts = self._upload(bucket, upload_id)
        wanted = re.findall(r"<PartNumber>(\d+)</PartNumber>", body)
        etags = re.findall(r"<ETag>(.*?)</ETag>", body)
        listed = [(int(number), etag.replace("&quot;", '"')) for number, etag in zip(wanted, etags, strict=True)]
        if any(number not in parts or etag != _etag(parts[number]) for number, etag in listed):
            raise Refused(400, "InvalidPart")
        content = b"".join(parts[number] for number, _ in sorted(listed))
        stored = self._store(bucket, key, content, bucket.upload_headers[upload_id], request)
        del bucket.uploads[upload_id]
        answer = _xml("CompleteMultipartUploadResult", f"<ETag>{escape(stored.etag)}</ETag>")
        answer.headers.update(_version(stored))
        return answer

    def _list(self, bucket: Bucket, request: Request) -> Response:
        query = request.query_params
        after = max(query.get("continuation-token", ""), query.get("start-after", ""))
        found = sorted(key for key in bucket.objects if key.startswith(query.get("prefix", "")) and key > after)
        page = found[: int(query.get("max-keys", 1000))]
        rows = "".join(
            f"<Contents><Key>{escape(key)}</Key><Size>{len(bucket.objects[key].content)}</Size>"
            f"<LastModified>{bucket.objects[key].modified:%Y-%m-%dT%H:%M:%S.000Z}</LastModified>"
            f"<ETag>{escape(bucket.objects[key].etag)}</ETag></Contents>"
            for key in page
        )
        if len(page) < len(found):
            rows += f"<NextContinuationToken>{escape(page[-1])}</NextContinuationToken>"
        return _xml("ListBucketResult", rows)

    def _check_access(self, request: Request) -> None:
        if "X-Goog-Signature" in request.query_params:
            return self._check_signed_url(request)
        scheme, _, token = request.headers.get("authorization", "").partition(" ")
        if scheme != "Bearer" or token.count(".") != 2:
            raise Refused(401, "AuthenticationRequired")
        signed, _, signature = token.rpartition(".")
        claims: dict[str, Any] = json.loads(_decode(token.split(".")[1]))
        self._verify(_decode(signature), signed.encode(), Refused(401, "InvalidToken"))
        issued, expires = (datetime.fromtimestamp(claims[name], UTC) for name in ("iat", "exp"))
        if claims["iss"] != ACCOUNT or not issued - _ALLOWED_SKEW <= self.now() <= expires + _ALLOWED_SKEW:
            raise Refused(401, "InvalidToken")
        return None

    def _check_signed_url(self, request: Request) -> None:
        query = dict(request.query_params)
        signature = bytes.fromhex(query.pop("X-Goog-Signature"))
        canonical = "&".join(f"{quote(name, safe='')}={quote(query[name], safe='')}" for name in sorted(query))
        path = request.scope["raw_path"].decode()
        # The client signs the name of Google's server, whatever the address that it was given.
        text = f"{request.method}\n{path}\n{canonical}\nhost:storage.googleapis.com\n\nhost\nUNSIGNED-PAYLOAD"
        issued = query["X-Goog-Date"]
        scope = query["X-Goog-Credential"].partition("/")[2]
        to_sign = f"GOOG4-RSA-SHA256\n{issued}\n{scope}\n{hashlib.sha256(text.encode()).hexdigest()}"
        self._verify(signature, to_sign.encode(), Refused(403, "SignatureDoesNotMatch"))
        start = datetime.strptime(issued, "%Y%m%dT%H%M%SZ").replace(tzinfo=UTC)
        if not start - _ALLOWED_SKEW <= self.now() < start + timedelta(seconds=int(query["X-Goog-Expires"])):
            raise Refused(400, "ExpiredToken")

    def _verify(self, signature: bytes, signed: bytes, refusal: Refused) -> None:
        try:
            self._public.verify(signature, signed, padding.PKCS1v15(), hashes.SHA256())
        except InvalidSignature:
            raise refusal from None


def _read(bucket: Bucket, key: str, request: Request) -> Response:
    stored = bucket.objects.get(key)
    if stored is None:
        raise Refused(404, "NoSuchKey")
    if request.headers.get("if-match", stored.etag) != stored.etag:
        raise Refused(412, "PreconditionFailed")
    headers = {
        "Last-Modified": format_datetime(stored.modified, usegmt=True),
        "content-type": "application/octet-stream",
        **stored.headers,
        **_version(stored),
    }
    size = len(stored.content)
    if request.method == "HEAD":
        return Response(headers={**headers, "Content-Length": str(size)})
    asked = re.fullmatch(r"bytes=(\d*)-(\d*)", request.headers.get("range", ""))
    if asked is None:
        return Response(stored.content, headers=headers)
    first, last = asked.groups()
    start, end = (int(first), min(int(last or size), size - 1)) if first else (max(0, size - int(last)), size - 1)
    if start >= size:
        raise Refused(416, "InvalidRange")
    headers["Content-Range"] = f"bytes {start}-{end}/{size}"
    return Response(stored.content[start : end + 1], 206, headers)


def _kept(request: Request) -> dict[str, str]:
    return {name: request.headers[name] for name in _STORED_HEADERS if name in request.headers}


def _version(stored: Stored) -> dict[str, str]:
    return {"ETag": stored.etag, "x-goog-generation": str(stored.generation)}


def _etag(content: bytes) -> str:
    return f'"{hashlib.md5(content, usedforsecurity=False).hexdigest()}"'


def _xml(name: str, inner: str) -> Response:
    return Response(f"<?xml version='1.0'?><{name}>{inner}</{name}>", media_type="application/xml")


def _decode(text: str) -> bytes:
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def key_file(private: rsa.RSAPrivateKey, base_url: str) -> str:
    pem = private.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    return json.dumps(
        {
            "type": "service_account",
            "private_key": pem.decode(),
            "private_key_id": "1",
            "client_email": ACCOUNT,
            "gcs_base_url": base_url,
        }
    )


def main() -> None:
    private = rsa.generate_private_key(65537, 2048)
    server = Server(private.public_key())
    methods = ["GET", "HEAD", "PUT", "POST", "DELETE"]
    app = Starlette(
        routes=[
            Route("/.control", server.control, methods=["POST"]),
            Route("/{path:path}", server.handle, methods=methods),
        ]
    )
    listening = socket.create_server(("127.0.0.1", 0))
    port = listening.getsockname()[1]
    (Path(sys.argv[1]) / "account.json").write_text(key_file(private, f"http://127.0.0.1:{port}"))
    running = uvicorn.Server(uvicorn.Config(app, log_level="critical", access_log=False))

    def stop_with_parent() -> None:
        sys.stdin.read()
        running.should_exit = True

    threading.Thread(target=stop_with_parent, daemon=True).start()
    print(port, flush=True)
    running.run(sockets=[listening])


if __name__ == "__main__":
    main()
