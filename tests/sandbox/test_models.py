"""OCR models are loaded once a child, by its zygote, and only after a document has shown that they work."""

import os
from pathlib import Path
from typing import Any

from PIL import Image, ImageDraw, ImageFont

from docsieve.sandbox.pool import Sandbox
from tests.sandbox.conftest import LIMITS, Poison, alive, descendants

LIBRARY = "tesseract"


def scan_at(folder: Path) -> dict[str, Any]:
    image = Image.new("L", (600, 200), 250)
    ImageDraw.Draw(image).text((40, 60), "Forty umbrellas", fill=10, font=ImageFont.load_default(40))
    image.save(folder / "scan.png")
    options = {"ocr_engine": "tesseract"}
    source, output = str(folder / "scan.png"), str(folder / "scan.pages")
    return {"source": source, "output": output, "media_type": "image/png", "options": options}


def holding_the_library() -> dict[int, str]:
    """Processes below us that have it in memory."""
    return {
        pid: born for pid, born in descendants(os.getpid()).items() if LIBRARY in Path(f"/proc/{pid}/maps").read_text()
    }


async def test_models_that_a_document_loaded_are_there_for_those_after_it(poison: Poison, tmp_path: Path) -> None:
    async with Sandbox(LIMITS, children=1) as sandbox:
        await sandbox.run("read_document", poison("ok"))
        assert not holding_the_library()
        await sandbox.run("read_document", scan_at(tmp_path))
        await sandbox.run("read_document", poison("ok"))

        with_models = holding_the_library()
        assert len(with_models) == 1
        await sandbox.run("read_document", scan_at(tmp_path))
        assert alive(with_models) == with_models


async def test_a_document_that_claims_models_which_there_are_not_costs_no_more_than_one_child(poison: Poison) -> None:
    async with Sandbox(LIMITS, children=1) as sandbox:
        await sandbox.run("read_document", poison("claim no-such-engine"))
        await sandbox.run("read_document", poison("ok"))
        idle = descendants(os.getpid())
        await sandbox.run("read_document", poison("claim no-such-engine"))

        assert (await sandbox.run("read_document", poison("ok")))["page_count"] == 1
        assert descendants(os.getpid()) == idle
