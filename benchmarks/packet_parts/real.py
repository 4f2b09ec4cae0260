"""Packets of real documents. Each document is read once, and its pages are put together with those of others."""

import hashlib
import io
import json
import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from random import Random

from PIL import Image

from benchmarks.packet_parts.gaps import ReadPage, read
from benchmarks.packet_parts.packets import Packet
from benchmarks.quality import CORPORA

SETS = (
    "kie_zugferd",
    "kie_adbuy",
    "kie_invoice2data",
    "kie_azure_tax",
    "schema_docubench",
    "schema_extract_bench",
    "kie_sroie",
)
MIXED, OF_ONE_SET = 36, 24
_MAX_FILES = 14
_MAX_PAGES = 12


def real_packets(cache: Path) -> Iterator[tuple[Packet, list[ReadPage]]]:
    """Packets of documents from all sets, then packets from one set each, then the packet of the shared corpora."""
    documents = {name: [_pages(path, cache) for path in files] for name in SETS if (files := _files(name))}
    several = {name: found for name, found in documents.items() if len(found) > 1}
    for number in range(MIXED + OF_ONE_SET):
        rng = Random(number)
        if number < MIXED:
            # every set is as likely as any other, or the many invoices would make up most packets
            names = rng.sample(list(documents), min(len(documents), rng.randint(3, 6)))
            chosen = [rng.choice(documents[name]) for name in names]
            yield _joined(f"mixed-{number}", "real: several kinds", chosen)
        else:
            found = several[list(several)[number % len(several)]]
            chosen = rng.sample(found, min(len(found), rng.randint(3, 6)))
            yield _joined(f"alike-{number}", "real: one kind", chosen)
    shipped = CORPORA / "packets" / "taxes-combined.pdf"
    if shipped.is_file():
        truth = json.loads((shipped.parent / "ground_truth.jsonl").read_text().splitlines()[0])["fields"]["pages"]
        kinds = {each["page"]: each["part"] for each in truth if each["part_page"] == 1}
        content = shipped.read_bytes()
        yield Packet(shipped.stem, "real: shared packet", content, len(truth), kinds), read(content, cache)


def _files(name: str) -> list[Path]:
    """The first files of a set, without those kept for later judgments."""
    kept = CORPORA.parent / "heldout.sha256"
    unseen = set(kept.read_text().split()) if kept.is_file() else set()
    files = [path for path in sorted((CORPORA / name).rglob("*")) if path.suffix.lower() in (".pdf", ".jpg", ".png")]
    return [path for path in files if hashlib.sha256(path.read_bytes()).hexdigest() not in unseen][:_MAX_FILES]


def _pages(path: Path, cache: Path) -> list[ReadPage]:
    content = path.read_bytes() if path.suffix.lower() == ".pdf" else _as_pdf(path)
    return read(content, cache, max_pages=_MAX_PAGES)


def _joined(name: str, trait: str, documents: Sequence[Sequence[ReadPage]]) -> tuple[Packet, list[ReadPage]]:
    made, pages = Packet(name, trait, b""), list[ReadPage]()
    for document in documents:
        made.kinds[len(pages) + 1] = trait
        pages += [(replace(page, number=len(pages) + at), seen) for at, (page, seen) in enumerate(document, start=1)]
    made.page_count = len(pages)
    return made, pages


def _as_pdf(path: Path) -> bytes:
    file = io.BytesIO()
    dates = {"creationDate": time.gmtime(0), "modDate": time.gmtime(0)}  # or the cache would never find it again
    with Image.open(path) as image:
        image.convert("RGB").save(file, "PDF", resolution=150, **dates)
    return file.getvalue()
