"""Which OCR backend a machine uses, and what happens when a reader dies of it."""

import json
import os
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from docsieve_poison import MEDIA_TYPE

from docsieve import faults
from docsieve.domain.pages.page import Progress
from docsieve.domain.pages.pagefile import pages_in
from docsieve.errors import OcrBackendUnusable, ParserCrashed
from docsieve.parsers.ocr.backends import LADDER
from docsieve.parsers.port import ReadOptions
from docsieve.pipelines.ocr import MachineOcr
from docsieve.pipelines.ocr_choice import FALLBACK, Choice, Probed, recall, remember
from docsieve.pipelines.read import Read, read, reader_of, readers_of
from docsieve.pipelines.workdir import WorkDir
from docsieve.sandbox.limits import Limits
from docsieve.sandbox.pool import Sandbox
from docsieve.tasks import registry
from tests.parsers.image.samples import text_image

NATIVE, F32 = "openvino", "openvino-f32"
BOTH_WORK = Choice([Probed(NATIVE, 0.1), Probed(F32, 0.2)])
# f32 works on every machine with OpenVINO, also on one where the first backend dies.
F32_IS_FASTER = Choice([Probed(NATIVE, 0.2), Probed(F32, 0.1)])


@pytest.fixture
async def sandbox() -> AsyncIterator[Sandbox]:
    async with Sandbox(Limits(), tasks=registry, children=1) as sandbox:
        yield sandbox


class Machine:
    """A machine that remembers its choice in a folder, and a document to read on it."""

    def __init__(self, folder: Path, sandbox: Sandbox) -> None:
        self.folder = folder / "data"
        self.folder.mkdir()
        self.ocr = MachineOcr(self.folder, memory_mb=2048)
        self.work = WorkDir(folder)
        self.stages: list[str] = []
        self._sandbox = sandbox

    @property
    def files(self) -> list[Path]:
        return list(self.folder.glob("ocr-*"))

    def put_scan(self) -> str:
        text_image(["Invoice 4711"], size=(360, 160)).save(self.work.original, "PNG")
        return "image/png"

    def put_poison(self, *deadly: str) -> str:
        self.work.original.write_text(f"%POISON ocr {' '.join(deadly)}")
        return str(MEDIA_TYPE)

    async def read(self, media_type: str, options: ReadOptions | None = None) -> Read:
        def note(progress: Progress) -> None:
            self.stages.append(progress.stage)

        found, _, _ = await read(
            self._sandbox,
            self.ocr,
            self.work,
            media_type=media_type,
            options=options or ReadOptions(),
            own_classes=(),
            attachments_of="none",
            on_progress=note,
        )
        return found

    @property
    def text(self) -> str:
        return "\n".join(page.text for page in pages_in(self.work.pages))


@pytest.fixture
def machine(tmp_path: Path, sandbox: Sandbox) -> Machine:
    return Machine(tmp_path, sandbox)


async def test_the_fastest_backend_that_reads_the_test_page_is_used_and_remembered(machine: Machine) -> None:
    choice = await machine.ocr.choose()

    working = [each for each in choice.probed if each.works and each.name != FALLBACK]
    assert {each.name for each in choice.probed} >= {NATIVE, F32}
    assert choice.name == min(working, key=lambda each: each.seconds or 0).name
    assert recall(machine.folder) == choice
    [file] = machine.files
    kept = json.loads(file.read_text())["machine"]
    assert kept["cpu"]["flags"] and kept["libraries"]["openvino"] and kept["host"]


async def test_a_remembered_choice_is_not_probed_again(machine: Machine) -> None:
    remember(machine.folder, Choice([Probed(F32, 123.0)]))

    assert (await machine.ocr.choose()).probed == [Probed(F32, 123.0)]


@pytest.mark.parametrize("damage", ["", "[]", '{"machine": {}, "probed": []}', "cpu", "probed"])
def test_a_remembered_file_that_is_damaged_or_foreign_is_not_used(machine: Machine, damage: str) -> None:
    remember(machine.folder, BOTH_WORK)
    [file] = machine.files
    whole = json.loads(file.read_text())
    changed = {"cpu": {**whole, "machine": {**whole["machine"], "cpu": {}}}, "probed": {**whole, "probed": [{}]}}
    file.write_text(json.dumps(changed[damage]) if damage in changed else damage)

    assert recall(machine.folder) is None


def test_a_backend_that_misreads_or_dies_is_never_chosen_and_tesseract_only_as_the_last() -> None:
    misreads = Probed(NATIVE, 0.1, "It misread the test page.")

    assert Choice([misreads, Probed(F32, 0.2)]).usable == [F32, FALLBACK]
    assert Choice([Probed(NATIVE, 0.3), Probed(F32, 0.2)]).usable == [F32, NATIVE, FALLBACK]
    assert Choice([misreads, Probed(FALLBACK, 0.05)]).name == FALLBACK
    assert Choice([misreads, Probed(FALLBACK, None, "gone")]).name is None


async def test_a_blank_page_and_a_text_page_need_no_probe(machine: Machine) -> None:
    machine.work.original.write_text("plain words")

    assert (await machine.read("text/plain")).page_count == 1
    assert machine.files == []


async def test_a_scan_is_read_with_the_backend_found_before_the_first_use(machine: Machine) -> None:
    found = await machine.read(machine.put_scan())

    assert machine.text == "Invoice 4711"
    assert recall(machine.folder) is not None
    assert found.reader == reader_of("image/png", ReadOptions())
    assert "ocr" in machine.stages


async def test_a_backend_that_dies_by_sigill_makes_the_machine_step_down_and_read_again(
    machine: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    remember(machine.folder, BOTH_WORK)
    monkeypatch.setenv(faults.VARIABLE, faults.OCR_STEP)

    found = await machine.read(machine.put_scan())

    assert machine.text == "Invoice 4711"
    choice = recall(machine.folder)
    assert choice is not None and choice.name not in (NATIVE, FALLBACK)
    assert "signal 4" in (choice.probed[0].problem or "")
    assert found.reader == reader_of("image/png", ReadOptions())


async def test_a_document_that_kills_one_backend_is_read_with_another_and_the_machine_keeps_its_own(
    machine: Machine,
) -> None:
    remember(machine.folder, F32_IS_FASTER)

    await machine.read(machine.put_poison(NATIVE, F32))

    assert machine.text == FALLBACK
    assert recall(machine.folder) == F32_IS_FASTER


async def test_a_document_that_kills_every_backend_ends_as_parser_crashed(machine: Machine) -> None:
    remember(machine.folder, F32_IS_FASTER)

    with pytest.raises(ParserCrashed, match="signal 11"):
        await machine.read(machine.put_poison(NATIVE, F32, FALLBACK))

    assert machine.stages.count("ocr") == 3
    assert recall(machine.folder) == F32_IS_FASTER


async def test_a_document_that_kills_every_backend_and_that_tesseract_cannot_read_ends_as_parser_crashed(
    machine: Machine,
) -> None:
    remember(machine.folder, F32_IS_FASTER)

    with pytest.raises(ParserCrashed, match="signal 11"):
        await machine.read(machine.put_poison(NATIVE, F32), ReadOptions(ocr_languages=("chi_sim",)))


@pytest.mark.parametrize("choice", [Choice([Probed(NATIVE, None, "dead"), Probed(FALLBACK, 0.4)]), Choice([])])
def test_that_only_tesseract_or_nothing_works_is_not_believed_for_long(machine: Machine, choice: Choice) -> None:
    remember(machine.folder, choice)
    assert recall(machine.folder) == choice
    [file] = machine.files

    os.utime(file, (0, 0))

    assert recall(machine.folder) is None
    remember(machine.folder, BOTH_WORK)
    os.utime(file, (0, 0))
    assert recall(machine.folder) == BOTH_WORK


async def test_where_no_backend_works_a_scan_fails_with_that_reason(machine: Machine) -> None:
    dead = "The sandboxed process was killed by signal 4."
    remember(
        machine.folder, Choice([Probed(each.name, None, dead) for each in LADDER] + [Probed(FALLBACK, None, dead)])
    )

    with pytest.raises(OcrBackendUnusable, match="docsieve doctor"):
        await machine.read(machine.put_scan())


async def test_pages_read_by_tesseract_are_kept_for_machines_without_anything_better(machine: Machine) -> None:
    remember(machine.folder, Choice([Probed(NATIVE, None, "dead"), Probed(FALLBACK, 0.4)]))
    better = MachineOcr(machine.folder.parent / "elsewhere", memory_mb=2048)

    found = await machine.read(machine.put_scan())

    wanted = reader_of("image/png", ReadOptions())
    assert found.reader == reader_of("image/png", ReadOptions(ocr_engine=FALLBACK)) != wanted
    assert readers_of("image/png", ReadOptions(), machine.ocr) == [wanted, found.reader]
    assert readers_of("image/png", ReadOptions(), better) == [wanted]
