"""The task that tests whether an OCR engine works on this machine."""

from dataclasses import dataclass

from docsieve.domain.pages.page import OnProgress
from docsieve.parsers.port import ReadOptions
from docsieve.sandbox.task import Task


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
