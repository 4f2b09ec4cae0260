"""Dumping a database as compressed SQL, and loading it: PostgreSQL's own programs, as streams.

They come with the embedded server, and work with every server that is not newer.
"""

import asyncio
import os
from asyncio.subprocess import DEVNULL, PIPE, Process
from collections.abc import AsyncGenerator, AsyncIterable, AsyncIterator
from contextlib import asynccontextmanager, suppress
from urllib.parse import unquote

import zstandard

from docsieve.db.server.account import own_binaries
from docsieve.errors.backups import DumpFailed

_DUMPER, _LOADER = "pg_dump", "psql"
_CHUNK_BYTES = 1024 * 1024
_QUOTED_BYTES = 2000
# A function of the dump has a setting of pg_trgm, which only a superuser may set before its library is loaded.
_LOAD_LIBRARY = b"""do $$ begin
    if exists (select from pg_extension where extname = 'pg_trgm') then perform show_limit(); end if;
end $$;
"""
# pg_dump 17 and newer write this into every dump, and older servers do not know it.
_UNKNOWN_SETTING = b"SET transaction_timeout = 0;\n"


async def dump(url: str) -> AsyncGenerator[bytes, None]:
    """The whole database in one snapshot. Raises DumpFailed."""
    # Row-level security is enforced for the owner too, who sees all rows by a policy.
    async with _program(_DUMPER, url, "--enable-row-security", "--no-owner", "--no-comments") as process:
        assert process.stdout is not None
        packer = zstandard.ZstdCompressor(level=3).compressobj()
        while chunk := await process.stdout.read(_CHUNK_BYTES):
            if packed := await asyncio.to_thread(packer.compress, chunk):
                yield packed
        await _succeeded(_DUMPER, process)
        yield packer.flush()


async def load(url: str, chunks: AsyncIterable[bytes]) -> None:
    """Run a dump in one transaction. If `chunks` raises, nothing is changed. Raises DumpFailed."""
    arguments = ("--no-psqlrc", "--quiet", "--set=ON_ERROR_STOP=1", "--single-transaction", "--file=-")
    async with _program(_LOADER, url, *arguments) as process:
        assert process.stdin is not None
        with suppress(BrokenPipeError, ConnectionResetError):  # psql has ended, and says why
            process.stdin.write(_LOAD_LIBRARY)
            async for sql in _unpacked(chunks):
                process.stdin.write(sql)
                await process.stdin.drain()
            process.stdin.close()
            await process.stdin.wait_closed()
        await _succeeded(_LOADER, process)


async def _unpacked(chunks: AsyncIterable[bytes]) -> AsyncIterator[bytes]:
    unpacker = zstandard.ZstdDecompressor().decompressobj()
    first = True
    async for chunk in chunks:
        sql = await asyncio.to_thread(unpacker.decompress, chunk)
        if first and sql:
            sql, first = sql.replace(_UNKNOWN_SETTING, b"", 1), False
        if sql:
            yield sql


@asynccontextmanager
async def _program(name: str, url: str, *arguments: str) -> AsyncIterator[Process]:
    """Killed at the end if it still runs. The password is not an argument, which every user of the machine can see."""
    public_url, password = _without_password(url)
    environment = {"PATH": os.defpath, "LC_ALL": "C.UTF-8", "HOME": os.environ.get("HOME", "/")}
    if password is not None:
        environment["PGPASSWORD"] = password
    process = await asyncio.create_subprocess_exec(
        own_binaries() / name,
        f"--dbname={public_url}",
        *arguments,
        stdin=PIPE if name == _LOADER else DEVNULL,
        stdout=DEVNULL if name == _LOADER else PIPE,
        stderr=PIPE,
        env=environment,
    )
    try:
        yield process
    finally:
        with suppress(ProcessLookupError):
            process.kill()
        await process.wait()


async def _succeeded(name: str, process: Process) -> None:
    assert process.stderr is not None
    said = (await process.stderr.read()).decode(errors="replace").strip()
    if await process.wait() != 0:
        raise DumpFailed(f"{name} failed: {said[:_QUOTED_BYTES]}")


def _without_password(url: str) -> tuple[str, str | None]:
    scheme, separator, rest = url.partition("://")
    authority, slash, path = rest.partition("/")
    user, at, hosts = authority.rpartition("@")
    name, colon, password = user.partition(":")
    if not colon:
        return url, None
    return f"{scheme}{separator}{name}{at}{hosts}{slash}{path}", unquote(password)
