"""Uploads files, or names where the server finds them, and optionally waits until they have been processed."""

import asyncio
import io
import os
from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx

from docsieve.cli.console.http import PATIENT_TRIES, Server, read_object
from docsieve.cli.submit.direct import MIN_BYTES, DirectUpload
from docsieve.cli.submit.uploads_view import Row, SendingView
from docsieve.domain.documents import FINAL, DocumentStatus
from docsieve.errors import DocsieveError
from docsieve.errors.setup import ServerProblem, Unreachable

_UPLOADS_AT_ONCE = 4
_POLLS_AT_ONCE = 16
_FIRST_INTERVAL, _LONGEST_INTERVAL, _GROWTH = 0.2, 3.0, 1.3

_FINAL = FINAL
_CHILDREN_PER_PAGE = 200
_REFUSED, _UNSENT = "refused", "unsent"


@dataclass(slots=True)
class Outcome:
    """Outcome of a file. `status` is the document's, or `refused` or `unsent` if there is no document."""

    file: str
    status: str
    document_id: str | None = None
    job_id: str | None = None
    pages: int | None = None
    code: str | None = None
    reason: str | None = None

    @property
    def accepted(self) -> bool:
        return self.document_id is not None

    @property
    def ready(self) -> bool:
        return self.status in (DocumentStatus.ready, DocumentStatus.unpacked)


@dataclass(frozen=True, slots=True)
class Letter:
    """A file and its idempotency key. With a `source`, it is at that URL, and `path` is only its name.

    `direct` sends it to the blob store itself: always, never, or if it is large and the store can be reached (None).
    """

    path: Path
    idempotency_key: str
    source: str | None = None
    direct: bool | None = None

    @property
    def shown(self) -> str:
        return self.source or str(self.path)


class WatchedFile(io.FileIO):
    """A file that reports how much of it was read. httpx reads it in small chunks while sending."""

    def __init__(self, path: Path, watch: Callable[[int], None]) -> None:
        super().__init__(path)
        self._watch = watch

    def read(self, size: int | None = -1, /) -> bytes:
        piece = super().read(size)
        self._watch(self.tell())
        return piece


@dataclass(slots=True)
class Sender:
    server: Server
    view: SendingView
    fields: dict[str, str]
    wait: bool
    deadline: float | None
    settled: Callable[[Outcome], None]
    _uploads: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(_UPLOADS_AT_ONCE))
    _polls: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(_POLLS_AT_ONCE))

    async def send_all(self, letters: Sequence[Letter], outcomes: dict[Path, Outcome]) -> None:
        """Fill `outcomes` as they become known, so that an interrupted command can report them."""
        await asyncio.gather(*(self._send(letter, outcomes) for letter in letters))

    async def _send(self, letter: Letter, outcomes: dict[Path, Outcome]) -> None:
        outcome = outcomes[letter.path] = Outcome(letter.shown, _UNSENT)
        async with self._uploads:
            row = self.view.row(letter.path)
            try:
                accepted = await self._upload(letter, row)
                outcome.document_id, outcome.job_id = accepted["id"], accepted["processing_job_id"]
                _note(outcome, accepted)
            except (ServerProblem, Unreachable) as error:
                _note_error(outcome, error)
        if self.wait and outcome.accepted:
            await self._wait(outcome, row)
        row.close()
        self.settled(outcome)
        if self.wait and outcome.status == DocumentStatus.unpacked:
            await self._wait_for_entries(outcome, outcomes)

    async def _wait_for_entries(self, archive: Outcome, outcomes: dict[Path, Outcome]) -> None:
        """Wait for the documents of an archive as well. Each gets its own outcome, below the archive's path."""
        try:
            async for child in self._children(archive):
                path = Path(archive.file) / child["archive_path"]
                outcome = outcomes[path] = Outcome(str(path), child["status"], child["id"], child["processing_job_id"])
                row = self.view.row(path)
                await self._wait(outcome, row)
                row.close()
                self.settled(outcome)
                if outcome.status == DocumentStatus.unpacked:
                    await self._wait_for_entries(outcome, outcomes)
        except (ServerProblem, Unreachable) as error:
            archive.code, archive.reason = error.code, error.detail

    async def _children(self, archive: Outcome) -> AsyncIterator[dict[str, Any]]:
        query: dict[str, Any] = {"parent_id": archive.document_id, "limit": _CHILDREN_PER_PAGE, "sort": "created_at"}
        while True:
            page = await self.server.get("/documents", **query)
            for child in page["documents"]:
                yield child
            if page["next_cursor"] is None:
                return
            query["cursor"] = page["next_cursor"]

    async def _upload(self, letter: Letter, row: Row) -> dict[str, Any]:
        if letter.source is not None:
            return await self._name_source(letter, letter.source)
        filename = os.fsencode(letter.path.name).decode(errors="replace")
        try:
            if letter.direct or (letter.direct is None and letter.path.stat().st_size >= MIN_BYTES):
                upload = DirectUpload(self.server, letter.path, filename, self.fields, row)
                if (document := await upload.send(through_api_too=letter.direct is True)) is not None:
                    return document
                row.show_step("")
            return await self._upload_to_api(letter, filename, row)
        except OSError as error:
            raise ServerProblem("unreadable_file", f"{error.strerror}.") from error

    async def _name_source(self, letter: Letter, source: str) -> dict[str, Any]:
        headers = {"Idempotency-Key": letter.idempotency_key}
        # a file without a name makes httpx send a form of parts, not of pairs
        form = {name: (None, value) for name, value in {**self.fields, "source": source}.items()}

        def build(client: httpx.AsyncClient) -> httpx.Request:
            return client.build_request("POST", "/documents", files=form, headers=headers)

        return read_object(await self.server.ask(build, tries=PATIENT_TRIES))

    async def _upload_to_api(self, letter: Letter, filename: str, row: Row) -> dict[str, Any]:
        headers = {"Idempotency-Key": letter.idempotency_key}
        try:
            with WatchedFile(letter.path, row.sent) as file:

                def build(client: httpx.AsyncClient) -> httpx.Request:
                    file.seek(0)
                    form = {"file": (filename, file, "application/octet-stream")}
                    return client.build_request("POST", "/documents", data=self.fields, files=form, headers=headers)

                return read_object(await self.server.ask(build, tries=PATIENT_TRIES))
        except httpx.LocalProtocolError as error:
            raise ServerProblem("file_changed", "The file changed while it was sent.") from error

    async def _wait(self, outcome: Outcome, row: Row) -> None:
        try:
            async with asyncio.timeout_at(self.deadline):
                await self._poll(outcome, row)
        except TimeoutError:
            outcome.code, outcome.reason = "timeout", "Not done in time; it goes on in the background."
        except (ServerProblem, Unreachable) as error:
            _note_error(outcome, error, status=outcome.status)

    async def _poll(self, outcome: Outcome, row: Row) -> None:
        interval = _FIRST_INTERVAL
        seen: dict[str, str] = {}

        def build(client: httpx.AsyncClient) -> httpx.Request:
            return client.build_request("GET", f"/documents/{outcome.document_id}/status", headers=seen)

        while True:
            async with self._polls:
                response = await self.server.ask(build, tries=PATIENT_TRIES)
            if response.status_code != httpx.codes.NOT_MODIFIED:
                state = read_object(response)
                seen["If-None-Match"] = response.headers["etag"]
                _note(outcome, state)
                if outcome.status in _FINAL:
                    return
                row.show_state(state)
            await asyncio.sleep(interval)
            interval = min(interval * _GROWTH, _LONGEST_INTERVAL)


def _note(outcome: Outcome, state: dict[str, Any]) -> None:
    outcome.status, outcome.pages = state["status"], state["page_count"]
    failed = state["error"] is not None and outcome.status in _FINAL and not outcome.ready
    outcome.code, outcome.reason = (state["error"]["code"], state["error"]["message"]) if failed else (None, None)


def _note_error(outcome: Outcome, error: DocsieveError, *, status: str = _REFUSED) -> None:
    outcome.status, outcome.code, outcome.reason = status, error.code, error.detail
