"""The HTTP client for all vendor SDKs: it reads responses only up to a size limit.

It follows no redirects, so that the key goes to one host only, and ignores proxies set in the environment.
"""

import ssl
from functools import cache

import httpx2

ANSWER_BYTES = 4 * 1024**2
CONNECT_SECONDS = 10.0
IDLE_SECONDS = 300.0


class AnswerTooLong(httpx2.TransportError):
    """The response exceeds the size limit."""


class _BoundedTransport(httpx2.AsyncBaseTransport):
    def __init__(self) -> None:
        self._inner = httpx2.AsyncHTTPTransport(verify=_authorities(), trust_env=False)

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        # A compressed response could be small here and huge once the SDK decompresses it.
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
    """The idle timeout. The caller limits the total time."""
    return httpx2.Timeout(min(seconds, IDLE_SECONDS), connect=min(seconds, CONNECT_SECONDS))


@cache
def _authorities() -> ssl.SSLContext:
    """Respects SSL_CERT_FILE, because a private gateway may have a private CA."""
    return httpx2.create_ssl_context()
