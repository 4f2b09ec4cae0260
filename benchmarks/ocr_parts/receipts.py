"""Receipts whose true text is known, from the corpora next to the repository."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pypdfium2 as pdfium
from PIL import Image, ImageFilter

from docsieve.domain.pages.page import Page
from docsieve.errors import OcrBackendUnset
from docsieve.parsers.pdf.format import PDF
from docsieve.parsers.port import ReadOptions

CORPORA = Path(__file__).parents[2].parent / "shared" / "corpora"
EVALUATIONS, SCANNED = (Path(__file__).parents[2] / "build" / name for name in ("evaluations", "scanned"))
PRINTED, PRINTED_EACH = ("invoice", "letter", "lease", "bank", "medical", "filing"), 4


@dataclass(frozen=True)
class Receipt:
    """`spaced` says whether the truth kept the spaces between words."""

    image: Path
    lines: list[str]
    spaced: bool


def scanned() -> list[Receipt]:
    """Every line of the scans of `kie_sroie`."""
    folder = CORPORA / "kie_sroie"
    found = []
    for image in sorted((folder / "img").glob("*.jpg")):
        rows = (folder / "box" / f"{image.stem}.csv").read_text(errors="replace").splitlines()
        # Eight coordinates, then the text, which may hold commas itself.
        found.append(Receipt(image, [row.split(",", 8)[8] for row in rows if row.count(",") >= 8], spaced=True))
    return found


def photographed() -> list[Receipt]:
    """The labelled fields of the photos of `kie_wildreceipt`, whose spaces are not known."""
    folder = CORPORA / "kie_wildreceipt"
    records = map(json.loads, (folder / "ground_truth.jsonl").read_text().splitlines())
    return [
        Receipt(folder / record["file"], list(_leaves(record["fields"])), spaced=False)
        for record in sorted(records, key=lambda record: str(record["file"]))
    ]


def _leaves(value: object) -> Iterator[str]:
    if isinstance(value, dict):
        for part in value.values():
            yield from _leaves(part)
    elif isinstance(value, list):
        for part in value:
            yield from _leaves(part)
    elif isinstance(value, str) and value:
        yield value


def printed() -> list[Receipt]:
    """Generated pages of A4 and letter size, as scanned at 200 dpi; their text layer is the truth."""
    pages = SCANNED / "pages"
    pages.mkdir(parents=True, exist_ok=True)
    found = []
    for kind in PRINTED:
        for source in sorted((EVALUATIONS / kind).glob("*.pdf"))[:PRINTED_EACH]:
            page = _with_text(source)
            image = pages / f"{kind}-{source.stem}.jpg"
            if page is not None:
                if not image.exists():
                    _scan(source, len(page.text)).save(image, quality=70)
                found.append(Receipt(image, [line.text for line in page.lines], spaced=True))
    return found


def _with_text(source: Path) -> Page | None:
    """The first page, if it needs no OCR."""
    try:
        page = next(iter(PDF.read(source, ReadOptions()).pages))
    except OcrBackendUnset:
        return None
    return page if page.lines else None


def _scan(source: Path, seed: int) -> Image.Image:
    document = pdfium.PdfDocument(source)
    shown = document[0].render(scale=200 / 72).to_pil().convert("L")
    document.close()
    slightly_turned = shown.rotate((seed % 7 - 3) / 10, Image.Resampling.BICUBIC, fillcolor=255)
    noise = np.random.default_rng(seed).normal(0, 9, slightly_turned.size[::-1])
    softened = np.asarray(slightly_turned.filter(ImageFilter.GaussianBlur(0.7)), dtype=np.float32) * 0.85 + 30
    return Image.fromarray(np.clip(softened + noise, 0, 255).astype(np.uint8))
