"""The tasks that test what works on this machine: an OCR engine, and all that sandboxed processes load ahead."""

from dataclasses import dataclass
from pathlib import Path

from docsieve.domain.pages.page import OnProgress
from docsieve.parsers.port import ReadOptions
from docsieve.sandbox.task import Task
from docsieve.sandbox.warming import described


@dataclass(frozen=True, slots=True)
class ProbeResult:
    """`seconds` is what the test page takes once the models are loaded."""

    reads_right: bool
    seconds: float


@dataclass(frozen=True, slots=True)
class ProbeOcr(Task[ProbeResult]):
    """Reads a page whose text is known with the engine and backend of `options`."""

    options: ReadOptions

    def perform(self, report: OnProgress) -> ProbeResult:
        from docsieve.parsers.ocr.probe import probe

        found = probe(self.options)
        return ProbeResult(found.reads_right, found.seconds)


@dataclass(frozen=True, slots=True)
class LoadingResult:
    """`problem` is None if everything could be loaded."""

    problem: str | None


@dataclass(frozen=True, slots=True)
class ProbeLoading(Task[LoadingResult]):
    """Loads at once what sandboxed processes load while they are idle."""

    def perform(self, report: OnProgress) -> LoadingResult:
        from docsieve.tasks import registry

        try:
            for _ in registry.warm_up(Path.cwd()):
                pass
        except Exception as error:  # noqa: BLE001  installed code may raise anything
            failed = described("warm up", error)
            return LoadingResult("{step}: {kind}: {detail} (in {places})".format_map(failed))
        return LoadingResult(None)
