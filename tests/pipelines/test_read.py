"""Fields that are extracted by the process that reads the document."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from docsieve_poison import MEDIA_TYPE

from docsieve.domain.pages.page import Progress
from docsieve.domain.pages.pagefile import page_count_in
from docsieve.domain.schemas.ready import READY
from docsieve.parsers.port import ReadOptions
from docsieve.pipelines.ocr import MachineOcr
from docsieve.pipelines.read import Read, read
from docsieve.pipelines.workdir import WorkDir
from docsieve.sandbox.limits import Limits
from docsieve.sandbox.pool import Sandbox
from docsieve.services.samples import SAMPLES
from docsieve.tasks import registry
from docsieve.tasks.analyze import Analysis
from docsieve.tasks.extract import WantedFields
from docsieve.tasks.read import MAX_PAGES_TO_EXTRACT
from tests.parsers.image.samples import text_image
from tests.parsers.pdf.samples import write_pages

INVOICE = WantedFields("the document", READY["invoice"], "local", 0.8)


class Desk:
    """One document and the process that reads it, with the stages that it reported."""

    def __init__(self, sandbox: Sandbox, folder: Path) -> None:
        self.sandbox = sandbox
        self.work = WorkDir(folder)
        self.stages: list[str] = []

    def poison(self, what: str) -> str:
        self.work.original.write_text(f"%POISON {what}")
        return str(MEDIA_TYPE)

    async def read(self, media_type: str, fields: WantedFields | None = INVOICE) -> tuple[Read, Analysis]:
        found, analysis, _ = await read(
            self.sandbox,
            MachineOcr(self.work.path, memory_mb=2048),
            self.work,
            media_type=media_type,
            options=ReadOptions(),
            own_classes=(),
            attachments_of="none",
            on_progress=self.note,
            fields=fields,
        )
        return found, analysis

    def note(self, progress: Progress) -> None:
        if progress.stage not in self.stages[-1:]:
            self.stages.append(progress.stage)


@pytest.fixture
async def desk(tmp_path: Path) -> AsyncIterator[Desk]:
    async with Sandbox(Limits(), tasks=registry, children=1) as sandbox:
        yield Desk(sandbox, tmp_path)


async def test_the_fields_are_those_that_a_separate_task_extracts_from_the_pages(desk: Desk) -> None:
    desk.work.original.write_bytes(SAMPLES["invoice"].content())

    found, analysis = await desk.read("application/pdf")

    separate = INVOICE.of(desk.work.pages, analysis.language, analysis.classification.name)
    assert found.fields is not None and found.fields.value["total"] is not None
    assert found.fields == await desk.sandbox.run(separate)
    assert desk.stages == ["reading", "extracting", "grounding"]


async def test_a_process_that_dies_while_it_extracts_costs_no_pages(desk: Desk) -> None:
    found, analysis = await desk.read(desk.poison("trap docsieve.tasks.extract.local_engine"))

    assert (found.page_count, found.fields) == (1, None)
    assert page_count_in(desk.work.pages) == 1 and analysis.sample == "nothing wrong here"
    assert desk.stages == ["reading", "extracting", "reading"]


async def test_an_engine_that_fails_leaves_the_fields_to_a_separate_task(desk: Desk) -> None:
    broken = WantedFields("the document", {"type": "object", "properties": 5}, "local", 0.8)

    found, _ = await desk.read(desk.poison("ok"), broken)

    assert (found.page_count, found.fields) == (1, None)


async def test_long_documents_and_scans_leave_the_fields_to_a_separate_task(desk: Desk) -> None:
    write_pages(desk.work.original, [["Invoice 4711"]] * (MAX_PAGES_TO_EXTRACT + 1))
    long, _ = await desk.read("application/pdf")
    text_image(["Invoice 4711"], size=(360, 160)).save(desk.work.original, "PNG")
    scan, _ = await desk.read("image/png")

    assert (long.page_count, long.fields) == (MAX_PAGES_TO_EXTRACT + 1, None)
    assert (scan.page_count, scan.fields) == (1, None)
    assert "extracting" not in desk.stages
