"""Reads files and extracts from them without a server, in sandboxed processes of one command."""

import asyncio
import shutil
import tempfile
import time
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any
from uuid import uuid4

from docsieve.composition import ProviderClients, document_sandbox, open_clients, read_options
from docsieve.domain.documents import ARCHIVE_TYPES
from docsieve.domain.extraction import ExtractionOutcome, ExtractionSpec
from docsieve.domain.pages.page import OnProgress, Progress
from docsieve.domain.prompts import filled
from docsieve.errors import EmptyDocument, UnsupportedType
from docsieve.errors.providers import ProviderBusy
from docsieve.offline.page_cache import About, CachedPages, PageCache, ReadFile, cache_key
from docsieve.offline.providers import providers_for
from docsieve.parsers.port import HEAD_BYTES, ReadOptions
from docsieve.parsers.registry import detect
from docsieve.pipelines.engines.port import Engine, Lessons, Runtime
from docsieve.pipelines.engines.registry import engine_named
from docsieve.pipelines.ocr import MachineOcr
from docsieve.pipelines.read import read, readers_of
from docsieve.pipelines.workdir import temporary_workdir
from docsieve.sandbox.paths import InputPath, OutputPath
from docsieve.sandbox.pool import Sandbox
from docsieve.sandbox.task import Task
from docsieve.settings import Settings
from docsieve.tasks.documents import SourceDocument

CopyTask = Callable[[InputPath, InputPath, OutputPath, str, ReadOptions], Task[Any]]

_NETWORK_SLOTS = 8
_MAX_TRIES = 6
_MAX_WAIT_SECONDS = 120.0


@dataclass(frozen=True, slots=True)
class OfflineSession:
    sandbox: Sandbox
    ocr: MachineOcr
    cache: PageCache
    folder: Path
    options: ReadOptions
    clients: ProviderClients
    process_slots: asyncio.Semaphore
    network_slots: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(_NETWORK_SLOTS))

    async def read(self, path: Path, on_progress: OnProgress) -> ReadFile:
        """Raises what the parser raises, UnsupportedType, EmptyDocument or OSError."""
        async with self.process_slots:
            return await self._read(path, on_progress)

    async def write_copy(self, read: ReadFile, task: CopyTask) -> Path:
        """The copy that the task writes, in the session's folder. Raises what the task raises."""
        async with self.process_slots:
            copy = self.folder / f"{uuid4()}.pdf"
            source, pages = InputPath(read.path), InputPath(read.pages)
            await self.sandbox.run(task(source, pages, OutputPath(copy), read.about.media_type, self.options))
            return copy

    async def extract(
        self,
        files: Sequence[ReadFile],
        spec: ExtractionSpec,
        on_progress: OnProgress,
        *,
        lessons: Lessons | None = None,
    ) -> ExtractionOutcome:
        """Extract once from all files in their order. Its seconds do not include waiting for a free slot.

        Raises as the engine does.
        """
        engine = engine_named(spec.engine)
        async with self.network_slots if engine.about.calls_out else self.process_slots:
            started = time.perf_counter()
            outcome = await self._extract(engine, files, spec, lessons, on_progress)
            return replace(outcome, seconds=time.perf_counter() - started)

    async def _read(self, path: Path, on_progress: OnProgress) -> ReadFile:
        media_type = await asyncio.to_thread(_media_type, path)
        for reader in readers_of(media_type, self.options, self.ocr):
            key = await asyncio.to_thread(cache_key, path, reader)
            if (cached := self.cache.find(key)) is not None:
                return ReadFile(path, cached.pages, cached.about, 0.0)
        started = time.perf_counter()
        cached = await self._read_into_cache(path, media_type, on_progress)
        return ReadFile(path, cached.pages, cached.about, time.perf_counter() - started)

    async def _extract(
        self,
        engine: Engine,
        files: Sequence[ReadFile],
        spec: ExtractionSpec,
        lessons: Lessons | None,
        on_progress: OnProgress,
    ) -> ExtractionOutcome:
        documents = [source_document(each) for each in files]
        spec = replace(spec, prompt=_filled(spec.prompt, files[0]))
        providers = providers_for(engine.about, self.clients, files, model=spec.model, password=self.options.password)
        tries = 0
        while True:
            tries += 1
            try:
                with temporary_workdir(self.folder) as work:
                    runtime = Runtime(self.sandbox, work, on_progress)
                    return await engine.extract(runtime, spec, documents, lessons=lessons, providers=providers)
            except ProviderBusy as busy:
                if tries == _MAX_TRIES or busy.seconds > _MAX_WAIT_SECONDS:
                    raise
                on_progress(Progress("waiting"))
                await asyncio.sleep(busy.seconds)

    async def _read_into_cache(self, path: Path, media_type: str, on_progress: OnProgress) -> CachedPages:
        with temporary_workdir(self.folder) as work:
            await asyncio.to_thread(shutil.copyfile, path, work.original)
            found, analysis, _ = await read(
                self.sandbox,
                self.ocr,
                work,
                media_type=media_type,
                options=self.options,
                own_classes=(),
                attachments_of="none",
                on_progress=on_progress,
            )
            about = About(
                found.media_type or media_type, found.page_count, analysis.language, analysis.classification.name
            )
            key = await asyncio.to_thread(cache_key, path, found.reader)
            return await asyncio.to_thread(self.cache.add, key, work.pages, about)


@asynccontextmanager
async def open_session(
    settings: Settings, *, cache: Path | None, processes: int, password: str | None = None
) -> AsyncIterator[OfflineSession]:
    """Without `cache`, or with a password, no pages are cached. On exit, no process and no temporary file is left."""
    with tempfile.TemporaryDirectory(prefix="docsieve-") as temporary:
        async with (
            open_clients(settings) as clients,
            document_sandbox(settings, processes=processes) as sandbox,
        ):
            folder = cache if cache is not None and password is None else Path(temporary, "pages")
            options = read_options(settings, password=password)
            slots = asyncio.Semaphore(processes)
            ocr = MachineOcr(cache or settings.data_dir, memory_mb=settings.parser_memory_mb)
            yield OfflineSession(sandbox, ocr, PageCache(folder), Path(temporary), options, clients, slots)


def source_document(read: ReadFile) -> SourceDocument:
    return SourceDocument(str(read.path), InputPath(read.pages), read.about.language, read.about.document_class)


def _filled(prompt: str | None, first: ReadFile) -> str | None:
    about = {"language": first.about.language, "class": first.about.document_class}
    return filled(prompt, about) if prompt is not None else None


def _media_type(path: Path) -> str:
    with path.open("rb") as file:
        head = file.read(HEAD_BYTES)
    if not head:
        raise EmptyDocument
    media_type = detect(head)
    if media_type in ARCHIVE_TYPES:
        raise UnsupportedType(f"{path.name} is an archive. Unpack it first, or upload it to a server.")
    if media_type is None:
        raise UnsupportedType(f"Files like {path.name} are not supported.")
    return media_type
