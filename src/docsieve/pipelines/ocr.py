"""Which OCR backend reads scans on this machine, and what to do when a reader process crashes in it.

Before the first page goes to OCR, each backend reads a test page with known text, in a separate sandboxed child. The
fastest one that reads it correctly is remembered in a file. Tesseract is used only if none of the others works, because
it reads less well.

When a reader crashes during OCR, the backend is probed again. If that fails too, the machine cannot use it, and another
one is remembered. If it works, the document is to blame: only this document is read with another backend.
"""

import asyncio
import fcntl
import os
import signal
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from docsieve import metrics
from docsieve.domain.pages.page import OnProgress, Progress
from docsieve.errors import (
    AttemptError,
    Invalid,
    OcrBackendUnset,
    OcrBackendUnusable,
    OcrLanguageMissing,
    ParserCrashed,
)
from docsieve.logs import get_logger
from docsieve.parsers.ocr.backends import LADDER
from docsieve.parsers.ocr.registry import has_backends
from docsieve.parsers.port import ReadOptions
from docsieve.pipelines.ocr_choice import FALLBACK, Choice, Probed, has_amx, recall, remember
from docsieve.sandbox.limits import Limits
from docsieve.sandbox.pool import Sandbox
from docsieve.tasks import registry
from docsieve.tasks.probe import ProbeOcr
from docsieve.tasks.read import OCR_STAGE, ReadDocument, ReadSummary

log = get_logger()

_NATIVE_CRASHES = frozenset({signal.SIGILL, signal.SIGSEGV, signal.SIGABRT})
_PROBE_SECONDS = 60


@dataclass(frozen=True, slots=True)
class OcrReading:
    """`options` are those the document was finally read with; `used_ocr` says whether any page went to OCR."""

    summary: ReadSummary
    options: ReadOptions
    used_ocr: bool


class MachineOcr:
    """`folder` is where the choice is remembered; if it does not exist, nothing is remembered."""

    def __init__(self, folder: Path, *, memory_mb: int) -> None:
        self._folder = folder.absolute()
        self._limits = Limits(memory_mb=memory_mb, wall_seconds=_PROBE_SECONDS, cpu_seconds=_PROBE_SECONDS)
        self._unsaved: Choice | None = None
        self._shown: str | None = None
        self._turn = asyncio.Lock()

    def known(self) -> Choice | None:
        choice = recall(self._folder) or self._unsaved
        if choice is not None:
            self._show(choice.name)
        return choice

    def _show(self, name: str | None) -> None:
        if name != self._shown:
            self._shown = name
            metrics.ocr_backend.clear()
            if name is not None:
                metrics.ocr_backend.labels(name).set(1)

    def options(self, options: ReadOptions) -> ReadOptions:
        """The options as this machine would use them, if its backend is known."""
        choice = self.known() if has_backends(options.ocr_engine) else None
        return _with(options, choice.name) if choice is not None and choice.name is not None else options

    async def read(self, sandbox: Sandbox, task: ReadDocument, on_progress: OnProgress) -> OcrReading:
        """Read a document, again with another backend if a child crashes during OCR.

        Raises as `Sandbox.run`, and OcrBackendUnusable if no backend works.
        """
        options = task.options
        tried: list[str] = []
        death: AttemptError | None = None
        given = await asyncio.to_thread(self.options, options)
        while True:
            watched = _Watched(on_progress)
            try:
                summary = await sandbox.run(replace(task, options=given), on_progress=watched)
                return OcrReading(summary, given, watched.used_ocr)
            except OcrBackendUnset:
                left = (await self.choose()).usable
            except OcrLanguageMissing:
                # Of the fallback engine: report why the requested one failed instead.
                if death is not None:
                    raise death from None
                raise
            except (ParserCrashed, OcrBackendUnusable) as error:
                if not has_backends(options.ocr_engine) or not _is_backends_fault(error, watched):
                    raise
                death = error
                used = given.ocr_backend or given.ocr_engine
                tried.append(used)
                log.warning("ocr_reader_died", backend=used, error=error.detail)
                choice = await self._probed_again(used) if isinstance(error, ParserCrashed) else await self.choose()
                left = [name for name in choice.usable if name not in tried]
                if not left:
                    raise
            if not left:
                raise OcrBackendUnusable
            given = _with(options, left[0])

    async def choose(self) -> Choice:
        """The remembered choice, or a new one; only one process at a time probes."""
        async with self._alone():
            return self.known() or await self._probe_all()

    async def probe(self) -> Choice:
        """Probe again, even if a choice is remembered."""
        async with self._alone():
            return await self._probe_all()

    async def probe_engine(self, engine: str) -> Probed:
        """Whether an engine without backends reads the test page."""
        return await self._probe(engine, ReadOptions(ocr_engine=engine))

    async def _probed_again(self, name: str) -> Choice:
        async with self._alone():
            choice = self.known()
            if choice is None:
                return await self._probe_all()
            if choice.name != name or (await self._probe(name)).works:
                return choice
            return await self._probe_all()

    async def _probe_all(self) -> Choice:
        probed: list[Probed] = []
        for backend in LADDER:
            if backend.installed and (backend.isa is None or has_amx()):
                probed.append(await self._probe(backend.name))
        if not any(each.works for each in probed):
            probed.append(await self._probe(FALLBACK))
        choice = Choice(probed)
        log.info("ocr_backend_chosen", backend=choice.name, probed=[asdict(each) for each in probed])
        self._show(choice.name)
        saved = self._folder.is_dir() and await asyncio.to_thread(remember, self._folder, choice)
        self._unsaved = None if saved else choice
        return choice

    async def _probe(self, name: str, options: ReadOptions | None = None) -> Probed:
        """In a new child: an instruction set, once used by a process, cannot be limited."""
        options = options or _with(ReadOptions(), name)
        async with Sandbox(self._limits, tasks=registry, children=1) as sandbox:
            try:
                found = await sandbox.run(ProbeOcr(options))
            except (AttemptError, Invalid) as error:
                return Probed(name, None, error.detail)
        return Probed(name, round(found.seconds, 3), None if found.reads_right else "It misread the test page.")

    @asynccontextmanager
    async def _alone(self) -> AsyncIterator[None]:
        async with self._turn:
            if not self._folder.is_dir():
                yield
                return
            # The folder itself is locked: a lock file of one account may not be accessible to another.
            folder = os.open(self._folder, os.O_RDONLY)
            try:
                await asyncio.to_thread(fcntl.flock, folder, fcntl.LOCK_EX)
                yield
            finally:
                os.close(folder)


class _Watched:
    """Forwards progress and remembers what it says about OCR."""

    def __init__(self, on_progress: OnProgress) -> None:
        self._on_progress = on_progress
        self.used_ocr = self.during_ocr = False

    def __call__(self, progress: Progress) -> None:
        self.during_ocr = progress.stage == OCR_STAGE
        self.used_ocr = self.used_ocr or self.during_ocr
        self._on_progress(progress)


def _is_backends_fault(error: AttemptError, watched: _Watched) -> bool:
    if isinstance(error, ParserCrashed):
        return watched.during_ocr and error.signal in _NATIVE_CRASHES
    return isinstance(error, OcrBackendUnusable)


def _with(options: ReadOptions, name: str) -> ReadOptions:
    if name == FALLBACK:
        return replace(options, ocr_engine=FALLBACK, ocr_backend=None)
    return replace(options, ocr_backend=name)
