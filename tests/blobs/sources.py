"""Where the bytes of a test come from."""

from collections.abc import AsyncIterator

MIB = 1024 * 1024


async def chunks_of(*chunks: bytes) -> AsyncIterator[bytes]:
    for chunk in chunks:
        yield chunk


async def mebibytes(count: int, fill: bytes = b"x") -> AsyncIterator[bytes]:
    """Chunks of 64 KiB, as a server receives them."""
    for _ in range(count * 16):
        yield fill * (MIB // 16)


async def broken_after(count: int, error: BaseException) -> AsyncIterator[bytes]:
    async for chunk in mebibytes(count):
        yield chunk
    raise error
