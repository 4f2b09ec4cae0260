"""The HTTP client that every vendor's SDK is given: an answer of any size is read up to a bound, and no further.

It follows no redirect, so that the key stays where it was sent, and heeds no proxy of the environment.
"""

import ssl
from functools import cache

import httpx2

ANSWER_BYTES = 4 * 1024**2
CONNECT_SECONDS = 10.0
IDLE_SECONDS = 300.0


class AnswerTooLong(httpx2.TransportError):
    """The answer is longer than any that is meant."""


class _BoundedTransport(httpx2.AsyncBaseTransport):
    def __init__(self) -> None:
        self._inner = httpx2.AsyncHTTPTransport(verify=_authorities(), trust_env=False)

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        # A compressed answer could be small here and endless where the SDK reads it.
        request.headers["Accept-Encoding"] = "identity"
        answered = await self._inner.handle_async_request(request)
        assert isinstance(answered.stream, httpx2.AsyncByteStream)
        content = bytearray()
        try:
            if answered.headers.get("Content-Encoding", "identity") != "identity":
                raise AnswerTooLong("compressed, though that was not asked for", request=request)
            async for piece in answered.stream:
                content += piece
                if len(content) > ANSWER_BYTES:
                    raise AnswerTooLong(f"more than {ANSWER_BYTES} bytes", request=request)
        finally:
            await answered.aclose()
        return httpx2.Response(answered.status_code, headers=answered.headers, content=bytes(content), request=request)

    async def aclose(self) -> None:
        await self._inner.aclose()


def bounded_client(seconds: float) -> httpx2.AsyncClient:
    return httpx2.AsyncClient(
        transport=_BoundedTransport(), timeout=timeout(seconds), follow_redirects=False, trust_env=False
    )


def timeout(seconds: float) -> httpx2.Timeout:
    """How long nothing may come; whoever calls bounds the whole."""
    return httpx2.Timeout(min(seconds, IDLE_SECONDS), connect=min(seconds, CONNECT_SECONDS))


@cache
def _authorities() -> ssl.SSLContext:
    """Heeds SSL_CERT_FILE: a gateway of one's own may have a CA of one's own."""
    return httpx2.create_ssl_context()
