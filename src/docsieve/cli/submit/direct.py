"""Uploads a large file to the blob store itself, with signed requests from the server."""

import asyncio
import hashlib
import json
import random
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx

from docsieve.cli.console.http import PATIENT_TRIES, Server, read_object
from docsieve.cli.submit.uploads_view import Row
from docsieve.errors.setup import ServerProblem, Unreachable

MIN_BYTES = 64 * 1024**2
"""Smaller files are sent through the API: one request instead of three."""

_PIECE = 1024 * 1024
_PARTS_AT_ONCE = 4
_FIRST_PAUSE = 0.25
# Stores write for a while before they answer; the server reads the whole file before it does.
_PART_TIMEOUT = httpx.Timeout(60.0, read=600.0)
_COMPLETE_TIMEOUT = httpx.Timeout(60.0, read=3600.0)


@dataclass(frozen=True, slots=True)
class DirectUpload:
    server: Server
    path: Path
    filename: str
    fields: dict[str, str]
    row: Row

    async def send(self, *, through_api_too: bool) -> dict[str, Any] | None:
        """The document; None if the store cannot be reached by clients, so that the API would pass the bytes on.

        Raises ServerProblem and Unreachable, and OSError if the file cannot be read.
        """
        self.row.show_step("computing the hash")
        size, sha256 = await asyncio.to_thread(_measure, self.path)
        new = {"filename": self.filename, "size": size, "sha256": sha256, **_as_json(self.fields)}
        # repeated, it leaves an upload behind that the server deletes after a while
        upload = await self.server.post("/uploads", new)
        if not upload["direct"] and not through_api_too:
            await self.server.delete(f"/uploads/{upload['id']}")
            return None
        self.row.show_step("")
        await self._send_parts(upload["parts"])
        self.row.show_step("verifying")
        complete = f"/uploads/{upload['id']}/complete"
        return read_object(
            await self.server.ask(
                lambda client: client.build_request("POST", complete, timeout=_COMPLETE_TIMEOUT), tries=PATIENT_TRIES
            )
        )

    async def _send_parts(self, parts: list[dict[str, Any]]) -> None:
        slots = asyncio.Semaphore(_PARTS_AT_ONCE)
        sent = dict.fromkeys(range(len(parts)), 0)

        async def send(place: int, start: int) -> None:
            def watch(so_far: int) -> None:
                sent[place] = so_far
                self.row.sent(sum(sent.values()))

            async with slots:
                await _put(client, parts[place], self.path, start, watch)

        starts = [sum(part["size"] for part in parts[:place]) for place in range(len(parts))]
        # a separate client, because the store must not see the API key
        try:
            async with httpx.AsyncClient(timeout=_PART_TIMEOUT) as client, asyncio.TaskGroup() as group:
                for place, start in enumerate(starts):
                    group.create_task(send(place, start))
        except ExceptionGroup as errors:
            raise errors.exceptions[0] from None


async def _put(
    client: httpx.AsyncClient, part: dict[str, Any], path: Path, start: int, watch: Callable[[int], None]
) -> None:
    """Send a part, and again if the store fails."""
    pause, headers = _FIRST_PAUSE, {**part["headers"], "Content-Length": str(part["size"])}
    for remaining in reversed(range(PATIENT_TRIES)):
        try:
            body = _pieces(path, start, part["size"], watch)
            response = await client.put(part["url"], headers=headers, content=body)
            if response.is_success:
                return
            if response.status_code < 500 or not remaining:
                raise ServerProblem(
                    f"http_{response.status_code}", f"The blob store responded with {response.status_code}."
                )
        except httpx.LocalProtocolError as error:
            raise ServerProblem("file_changed", "The file changed while it was sent.") from error
        except httpx.RequestError as error:
            if not remaining:
                raise Unreachable(f"No response from the blob store ({type(error).__name__}).") from error
        await asyncio.sleep(pause * random.uniform(0.75, 1.25))
        pause *= 2


async def _pieces(path: Path, start: int, size: int, watch: Callable[[int], None]) -> AsyncIterator[bytes]:
    with path.open("rb") as file:
        file.seek(start)
        left = size
        while left and (piece := await asyncio.to_thread(file.read, min(_PIECE, left))):
            yield piece
            left -= len(piece)
            watch(size - left)


def _measure(path: Path) -> tuple[int, str]:
    digest, size = hashlib.sha256(), 0
    with path.open("rb") as file:
        while piece := file.read(_PIECE):
            digest.update(piece)
            size += len(piece)
    return size, digest.hexdigest()


def _as_json(fields: dict[str, str]) -> dict[str, Any]:
    """The fields of a form as they are in JSON."""
    read: dict[str, Callable[[str], Any]] = {"priority": int, "metadata": json.loads}
    return {name: read.get(name, str)(value) for name, value in fields.items()}
