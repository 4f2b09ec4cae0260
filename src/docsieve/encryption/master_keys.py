"""Master keys, which wrap the data keys of tenants: 32 bytes from the environment or a file, or a command.

The first of several wraps new data keys; the others only unwrap, until their keys are wrapped again.
"""

import asyncio
import base64
import binascii
import hashlib
import os
import shlex
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Literal, Protocol

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from docsieve.settings import MasterKeySource

_NONCE_BYTES = 12
_KEY_BYTES = 32
_CONTEXT = b"docsieve data key"
_COMMAND_SECONDS = 20.0


class MasterKeyFailed(Exception):
    """A master key cannot be read, or does not open what it is given. The reason may name paths of this machine."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class MasterKey(Protocol):
    """Every method raises MasterKeyFailed."""

    async def fingerprint(self) -> str:
        """Tells master keys apart, and reveals nothing about them."""
        ...

    async def wrap(self, secret: bytes) -> bytes: ...

    async def unwrap(self, wrapped: bytes) -> bytes: ...


class GivenKey(MasterKey):
    """A key from the environment or a file. Read when it is used, so that a file may be mounted later."""

    def __init__(self, source: MasterKeySource) -> None:
        self._source = source

    async def fingerprint(self) -> str:
        return hashlib.sha256(b"docsieve master key" + await self._key()).hexdigest()[:16]

    async def wrap(self, secret: bytes) -> bytes:
        nonce = os.urandom(_NONCE_BYTES)
        return nonce + AESGCM(await self._key()).encrypt(nonce, secret, _CONTEXT)

    async def unwrap(self, wrapped: bytes) -> bytes:
        try:
            return AESGCM(await self._key()).decrypt(wrapped[:_NONCE_BYTES], wrapped[_NONCE_BYTES:], _CONTEXT)
        except (InvalidTag, ValueError) as error:
            raise MasterKeyFailed(f"{self._source} does not open the data key") from error

    async def _key(self) -> bytes:
        if self._source.kind == "env":
            found: str | bytes | None = os.environ.get(self._source.value)
            if found is None:
                raise MasterKeyFailed(f"{self._source}: the variable is not set")
        else:
            try:
                found = await asyncio.to_thread(Path(self._source.value).read_bytes)
            except OSError as error:
                raise MasterKeyFailed(f"{self._source}: {error.strerror}") from error
        key = _decoded(found)
        if key is None:
            raise MasterKeyFailed(f"{self._source} must be 32 bytes in base64")
        return key


def _decoded(text: str | bytes) -> bytes | None:
    """Either alphabet of base64, or the bytes themselves."""
    if isinstance(text, bytes) and len(text) == _KEY_BYTES:
        return text
    written = text.encode() if isinstance(text, str) else text
    try:
        key = base64.b64decode(written.strip().replace(b"-", b"+").replace(b"_", b"/"), validate=True)
    except binascii.Error:
        return None
    return key if len(key) == _KEY_BYTES else None


class CommandKey(MasterKey):
    """A program that calls a key management service: `… wrap` and `… unwrap`, from stdin to stdout."""

    def __init__(self, source: MasterKeySource) -> None:
        self._command = shlex.split(source.value)

    async def fingerprint(self) -> str:
        return hashlib.sha256(b"docsieve master command" + shlex.join(self._command).encode()).hexdigest()[:16]

    async def wrap(self, secret: bytes) -> bytes:
        return await self._run("wrap", secret)

    async def unwrap(self, wrapped: bytes) -> bytes:
        return await self._run("unwrap", wrapped)

    async def _run(self, operation: Literal["wrap", "unwrap"], given: bytes) -> bytes:
        """What the command prints to stderr may be secret and is not repeated."""
        name = Path(self._command[0]).name
        try:
            process = await asyncio.create_subprocess_exec(
                *self._command,
                operation,
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                stderr=asyncio.subprocess.DEVNULL,
            )
        except OSError as error:
            raise MasterKeyFailed(f"command:{name} cannot be started: {error.strerror}") from error
        try:
            async with asyncio.timeout(_COMMAND_SECONDS):
                printed, _ = await process.communicate(given)
        except TimeoutError as error:
            reason = f"command:{name} {operation} took longer than {_COMMAND_SECONDS:.0f} s"
            raise MasterKeyFailed(reason) from error
        finally:
            with suppress(ProcessLookupError):
                process.kill()
        if process.returncode != 0 or not printed:
            raise MasterKeyFailed(f"command:{name} {operation} ended with status {process.returncode}")
        return printed


def master_keys(sources: Sequence[MasterKeySource]) -> list[MasterKey]:
    return [CommandKey(source) if source.kind == "command" else GivenKey(source) for source in sources]
