"""The gaps of packets with their features and the truth, read as the service reads them."""

import hashlib
import pickle
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from benchmarks.packet_parts.packets import Packet
from docsieve.analysis.packets.detect import find_gaps
from docsieve.analysis.packets.page_facts import word_count
from docsieve.analysis.packets.sheets import LOOK_WIDTH, SPARSE_WORDS, SheetLook, look
from docsieve.domain.pages.page import Page
from docsieve.parsers.port import ReadOptions
from docsieve.parsers.registry import parser_for


@dataclass(frozen=True, slots=True)
class JudgedGap:
    """`kind` is that of the document on the page after the gap, `kind_before` that of the one before it."""

    packet: str
    trait: str
    kind: str
    kind_before: str
    next_page: int
    is_cut: bool
    has_separator: bool
    features: dict[str, float]


def read(content: bytes, cache: Path, media_type: str = "application/pdf") -> list[tuple[Page, SheetLook | None]]:
    """The pages of a file, and the looks of those with few words; kept in the cache, because OCR takes its time."""
    stored = cache / f"{hashlib.sha256(content).hexdigest()}.pickle"
    if stored.is_file():
        found: list[tuple[Page, SheetLook | None]] = pickle.loads(stored.read_bytes())
        return found
    with tempfile.NamedTemporaryFile() as file:
        file.write(content)
        file.flush()
        found = list(_read(Path(file.name), media_type))
    cache.mkdir(parents=True, exist_ok=True)
    stored.write_bytes(pickle.dumps(found))
    return found


def _read(path: Path, media_type: str) -> Iterator[tuple[Page, SheetLook | None]]:
    parser, options = parser_for(media_type), ReadOptions(ocr_backend="openvino-f32")
    for page in parser.read(path, options).pages:
        seen = None
        if word_count(page) <= SPARSE_WORDS:
            seen = look(parser.render(path, page, LOOK_WIDTH, options))  # type: ignore[attr-defined]
        yield page, seen


def judged_gaps(packet: Packet, cache: Path) -> list[JudgedGap]:
    pages = read(packet.content, cache)
    looks = {page.number: seen for page, seen in pages}
    gaps, _ = find_gaps((page for page, _ in pages), lambda page: looks[page.number])
    kind = {
        page: next(packet.kinds[start] for start in sorted(packet.kinds, reverse=True) if start <= page)
        for page in looks
    }
    return [
        JudgedGap(
            packet.name,
            packet.trait,
            kind[gap.next_page],
            kind[gap.after_page],
            gap.next_page,
            any(gap.after_page < start <= gap.next_page for start in packet.starts),
            gap.has_separator,
            gap.features,
        )
        for gap in gaps
    ]
