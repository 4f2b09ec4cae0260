"""Generates packets: several documents in one PDF, and where a person would cut it. A seed always gives the same."""

import io
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Literal, get_args

import numpy as np
import pypdfium2
from PIL import Image, ImageFilter
from reportlab.pdfgen.canvas import Canvas

from benchmarks.packet_parts import business, prose, records, texts
from benchmarks.packet_parts.paper import Sender, Sheet, Style

Trait = Literal[
    "plain", "scan", "blanks", "duplex", "separators", "same_sender", "same_kind", "mixed_languages", "one_document"
]
TRAITS: tuple[Trait, ...] = get_args(Trait)

KINDS: dict[str, Callable[[Random, Style, Sender], list[Sheet]]] = {
    "invoice": business.invoice,
    "quotation": business.quotation,
    "purchase_order": business.purchase_order,
    "delivery_note": business.delivery_note,
    "statement": business.statement,
    "receipt": business.receipt,
    "payslip": business.payslip,
    "letter": prose.letter,
    "letter_with_annex": prose.letter_with_annex,
    "contract": prose.contract,
    "medical_report": prose.medical_report,
    "resume": prose.resume,
    "form": prose.form,
    "policy": prose.policy,
    "mail": prose.mail,
    "report": prose.report,
    "minutes": prose.minutes,
    "certificate": prose.certificate,
    "tax_form": records.tax_form,
    "lab_report": records.lab_report,
    "utility_bill": records.utility_bill,
    "waybill": records.waybill,
    "memo": records.memo,
    "timesheet": records.timesheet,
    "slides": records.slides,
    "lease_with_exhibits": records.lease_with_exhibits,
    "article": records.article,
    "court_filing": records.court_filing,
    "manual": records.manual,
}

_LONG = ("report", "contract", "slides", "manual", "lease_with_exhibits")
_SCAN_DPI = 130
_PATCHES = ((1, 0, 0, 1), (1, 0, 1, 0), (0, 1, 0, 1), (0, 0, 1, 1), (1, 1, 0, 0), (0, 1, 1, 0))


@dataclass(slots=True)
class Packet:
    """`kinds` names each document by its first page; `left_out` are blank pages and separator sheets."""

    name: str
    trait: str
    content: bytes
    page_count: int = 0
    kinds: dict[int, str] = field(default_factory=dict)
    left_out: dict[int, str] = field(default_factory=dict)

    @property
    def starts(self) -> list[int]:
        """The first page of each document but the first: where a person would cut."""
        return sorted(self.kinds)[1:]


def packet(seed: int, trait: Trait, kinds: Sequence[str] = tuple(KINDS)) -> Packet:
    """A packet of two to eight documents of these kinds, or a single one."""
    rng = texts.Author(f"{seed}-{trait}")
    made = Packet(f"{trait}-{seed}", trait, b"")
    sheets: list[Sheet] = []
    language = rng.choice(texts.LANGUAGES)
    sender, style = Sender.drawn(rng, language), Style.drawn(rng, language)
    repeated = rng.choice([kind for kind in kinds if kind not in _LONG] or list(kinds))
    count = 1 if trait == "one_document" else rng.randint(2, 8)
    for at in range(count):
        if trait != "same_sender":
            language = rng.choice(texts.LANGUAGES) if trait == "mixed_languages" else language
            sender, style = Sender.drawn(rng, language), Style.drawn(rng, language)
        rng.choose_topic(kept=rng.choice((0.0, 0.5)) if trait == "same_sender" else 0.0)
        kind = repeated if trait in ("same_sender", "same_kind") and rng.random() < 0.8 else rng.choice(kinds)
        made.kinds[len(sheets) + 1] = kind
        sheets += _with_backs(rng, made, len(sheets), _copy(KINDS[kind], rng, style, sender), trait)
        if at < count - 1 and (trait == "separators" or (trait == "blanks" and rng.random() < 0.8)):
            made.left_out[len(sheets) + 1] = "separator" if trait == "separators" else "blank"
            sheets.append(_separator(rng, style) if trait == "separators" else Sheet(style.paper))
    made.page_count = len(sheets)
    made.content = drawn(sheets)
    if trait == "scan":
        made.content = scanned(made.content, rng)
    return made


def _copy(
    kind: Callable[[Random, Style, Sender], list[Sheet]], rng: Random, style: Style, sender: Sender
) -> list[Sheet]:
    """Some kinds change their style, which must not reach the next document of the same sender."""
    own = Style(*(getattr(style, name) for name in Style.__slots__))
    return kind(rng, own, sender)


def _with_backs(rng: Random, made: Packet, before: int, sheets: list[Sheet], trait: Trait) -> list[Sheet]:
    """Blank backs of single-sided pages that were scanned on both sides."""
    if trait != "duplex":
        return sheets
    backed: list[Sheet] = []
    for sheet in sheets:
        backed.append(sheet)
        made.left_out[before + len(backed) + 1] = "blank"
        backed.append(Sheet(sheet.size))
    return backed


def _separator(rng: Random, style: Style) -> Sheet:
    sheet = Sheet(style.paper)
    width, height = style.paper
    how = rng.choice(("patch", "patch_across", "words", "barcode"))
    if how.startswith("patch"):
        bars, across = rng.choice(_PATCHES), how == "patch_across"

        def patch(canvas: Canvas) -> None:
            at = 60.0
            for wide in bars:
                size = 14.4 if wide else 5.76
                canvas.rect(
                    *((at, 80, size, height - 160) if across else (80, height - at - size, width - 160, size)), fill=1
                )
                at += size + 5.76

        sheet.draws.append(patch)
    elif how == "words":
        said = rng.choice(
            ("SEPARATOR SHEET", "Trennblatt", "Document separator", "Feuille de séparation", "Hoja separadora")
        )
        sheet.draws.append(
            lambda canvas: (canvas.setFont("Helvetica-Bold", 30), canvas.drawString(90, height / 2, said))[0]
        )
    else:
        sheet.draws.append(lambda canvas: _barcode(canvas, height))
    return sheet


def _barcode(canvas: Canvas, height: float) -> None:
    from reportlab.graphics.barcode.code128 import Code128

    Code128("SEP-0001", barHeight=60, barWidth=1.6).drawOn(canvas, 120, height / 2)


def drawn(sheets: Sequence[Sheet]) -> bytes:
    file = io.BytesIO()
    canvas = Canvas(file, invariant=True)
    for sheet in sheets:
        canvas.setPageSize(sheet.size)
        for draw in sheet.draws:
            draw(canvas)
        canvas.showPage()
    canvas.save()
    return file.getvalue()


def scanned(content: bytes, rng: Random, *, dpi: int = _SCAN_DPI, blur: float = 0.0) -> bytes:
    """The same pages as a scanner would give them: images, a little crooked, with noise and no text."""
    noise = np.random.default_rng(rng.randint(0, 2**31))
    images: list[Image.Image] = []
    document = pypdfium2.PdfDocument(content)
    for page in document:
        image = page.render(scale=dpi / 72).to_pil().convert("L")
        image = image.rotate(rng.uniform(-0.8, 0.8), fillcolor=255, resample=Image.Resampling.BICUBIC)
        image = image.filter(ImageFilter.GaussianBlur(blur)) if blur else image
        pixels = np.asarray(image, dtype=np.float32) * rng.uniform(0.9, 1.0) + noise.normal(
            0, 6, (image.height, image.width)
        )
        images.append(Image.fromarray(np.clip(pixels, 0, 255).astype(np.uint8)))
    file = io.BytesIO()
    dates = {"creationDate": time.gmtime(0), "modDate": time.gmtime(0)}
    images[0].save(file, "PDF", save_all=True, append_images=images[1:], resolution=dpi, **dates)
    return file.getvalue()
