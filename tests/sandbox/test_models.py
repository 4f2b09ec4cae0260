"""OCR models are loaded once a child, by its zygote, and only after a document has shown that they work."""

import os
from pathlib import Path

import pytest
from PIL import Image, ImageDraw, ImageFont

from docsieve.parsers.port import ReadOptions
from docsieve.sandbox.paths import InputPath, SharedPath
from docsieve.tasks.read import ReadDocument
from tests.sandbox.conftest import Poison, alive, descendants, open_sandbox

pytestmark = pytest.mark.process

LIBRARY = "tesseract"


def scan_at(folder: Path) -> ReadDocument:
    image = Image.new("L", (600, 200), 250)
    ImageDraw.Draw(image).text((40, 60), "Forty umbrellas", fill=10, font=ImageFont.load_default(40))
    image.save(folder / "scan.png")
    options = ReadOptions(ocr_engine="tesseract")
    return ReadDocument(InputPath(folder / "scan.png"), SharedPath(folder / "scan.pages"), "image/png", options)


def holding_the_library() -> dict[int, str]:
    """The sandboxed processes below us that have it in memory; other tests keep a child with OCR models too."""
    return {
        pid: born
        for pid, born in descendants(os.getpid()).items()
        if "docsieve.sandbox.launcher" in Path(f"/proc/{pid}/cmdline").read_text()
        and LIBRARY in Path(f"/proc/{pid}/maps").read_text()
    }


async def test_models_that_a_document_loaded_are_there_for_those_after_it(poison: Poison, tmp_path: Path) -> None:
    async with open_sandbox() as sandbox:
        await sandbox.run(poison("ok"))
        assert not holding_the_library()
        await sandbox.run(scan_at(tmp_path))
        await sandbox.run(poison("ok"))

        with_models = holding_the_library()
        assert len(with_models) == 1
        await sandbox.run(scan_at(tmp_path))
        assert alive(with_models) == with_models


async def test_a_document_that_claims_models_which_there_are_not_costs_no_more_than_one_child(poison: Poison) -> None:
    async with open_sandbox() as sandbox:
        await sandbox.run(poison("claim no-such-engine"))
        await sandbox.run(poison("ok"))
        idle = descendants(os.getpid())
        await sandbox.run(poison("claim no-such-engine"))

        assert (await sandbox.run(poison("ok"))).pages.page_count == 1
        assert descendants(os.getpid()) == idle
