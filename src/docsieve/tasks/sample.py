"""A sample document. Reading it and extracting from it loads the models, tables and patterns that most tasks need."""

from collections.abc import Generator
from pathlib import Path

from docsieve import folders
from docsieve.domain.extraction import DEFAULT_ENGINE, DEFAULT_THRESHOLD, Material
from docsieve.domain.pages.page import Line, Page, Word
from docsieve.domain.schemas.fields import Schema
from docsieve.sandbox.paths import InputPath, SharedPath
from docsieve.tasks.analyze import AnalysisOptions
from docsieve.tasks.read import ReadDocument

# Python adapts code to the types it meets after eight calls; what it adapts in a fork is lost with the fork.
_READINGS = 12

_PDF_OBJECTS = (
    "<</Type/Catalog/Pages 2 0 R>>",
    "<</Type/Pages/Kids[3 0 R]/Count 1>>",
    "<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Contents 4 0 R/Resources<</Font<</F 5 0 R>>>>>>",
    "<</Length {length}>>stream\n{content}\nendstream",
    "<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>",
)
# A full page as most documents have it: paragraphs, labels with values, and a table with lines.
_LABELS = ("Invoice number: 2024-0117", "Date: 2 January 2024", "Customer: 4711", "Total: 1,284.50")
_PARAGRAPH = (
    "Thank you for your order. We deliver the goods below to the address that you gave us in your letter of March 14.",
    "The total amount is due within thirty days, without any deduction, to the bank account at the end of this page.",
    "Goods remain our property until they are paid in full; the terms of the contract apply between both parties.",
    "Please state the number of the invoice with the payment, and write to office@example.org if anything is missing.",
)
_PARAGRAPHS = 7
_HEADER = ("Item", "Quantity", "Price", "Amount")
_ROWS = (_HEADER, *((f"Part {n}", f"{n}", "19.90", f"{n * 19.9:.2f}") for n in range(1, 7)))
_COLUMNS, _TABLE_TOP, _ROW_HEIGHT = (56, 256, 356, 456, 539), 190, 20

_SCHEMA: Schema = {
    "type": "object",
    "properties": {
        "invoice_number": {"type": "string"},
        "invoice_date": {"type": "string", "format": "date"},
        "customer_number": {"type": "integer"},
        "total": {"type": "number"},
        "items": {
            "type": "array",
            "items": {"type": "object", "properties": {"item": {"type": "string"}, "amount": {"type": "number"}}},
        },
    },
}


def read_sample(folder: Path) -> Generator[None, None, None]:
    """Read and analyze the sample in a new folder, which is removed after that; once with each step."""
    folder.mkdir()
    try:
        source = folder / "sample.pdf"
        source.write_bytes(sample_pdf())
        task = ReadDocument(
            source=InputPath(source),
            pages=SharedPath(folder / "pages"),
            media_type="application/pdf",
            analysis=AnalysisOptions(SharedPath(folder / "chunks")),
        )
        for _ in range(_READINGS):
            task.perform(lambda _: None)
            yield
    finally:
        folders.remove(folder)


def extract_from_sample() -> None:
    """Without reading it: a child that extracts need not have read anything."""
    # Not imported with the module, because children that only read documents do without them.
    from docsieve.analysis.proof.results import finish
    from docsieve.engines.local.engine import LocalFields

    sample = Material("sample", [sample_page()], language="en", document_class="invoice")
    proposal = LocalFields().propose([sample], _SCHEMA, lessons=None)
    finish([sample], _SCHEMA, proposal, engine=DEFAULT_ENGINE, threshold=DEFAULT_THRESHOLD)


def know_schema(schema: Schema) -> None:
    """Work out what the schema asks for, which the engine and the grounding of its values keep for the next time."""
    from docsieve.analysis.proof.grounding.labels import labels_of
    from docsieve.domain.schemas.fields import fields_of
    from docsieve.engines.local.vocabulary.targets import targets_of

    fields = fields_of(schema)
    targets_of(fields)
    labels_of(fields)


def sample_page() -> Page:
    """The sample's labels and its table as a reader gives them."""
    labels = [_line([(56.0, label)], top=52.0 + 14 * number) for number, label in enumerate(_LABELS)]
    rows = [
        _line([(left + 4.0, cell) for left, cell in zip(_COLUMNS, cells, strict=False)], top=652.0 + _ROW_HEIGHT * row)
        for row, cells in enumerate(_ROWS)
    ]
    return Page(1, 595.0, 842.0, [*labels, *rows])


def _line(parts: list[tuple[float, str]], *, top: float) -> Line:
    words = []
    for left, text in parts:
        for word in text.split():
            words.append(Word(word, (left, top, left + 5.0 * len(word), top + 10)))
            left += 5.0 * (len(word) + 1)
    return Line(" ".join(word.text for word in words), (words[0].box[0], top, words[-1].box[2], top + 10), words)


def sample_pdf() -> bytes:
    """One page."""
    content = _content()
    made, places = "%PDF-1.4\n", []
    for number, body in enumerate(_PDF_OBJECTS, start=1):
        places.append(len(made))
        filled = body.replace("{length}", str(len(content))).replace("{content}", content)
        made += f"{number} 0 obj\n{filled}\nendobj\n"
    table = "".join(f"{place:010} 00000 n \n" for place in places)
    size = len(places) + 1
    ending = f"trailer\n<</Size {size}/Root 1 0 R>>\nstartxref\n{len(made)}\n%%EOF\n"
    return f"{made}xref\n0 {size}\n0000000000 65535 f \n{table}{ending}".encode()


def _content() -> str:
    lines = [*_LABELS]
    for _ in range(_PARAGRAPHS):
        lines += ["", *_PARAGRAPH]
    text = " ".join(f"({line}) Tj T*" for line in lines)
    bottom = _TABLE_TOP - len(_ROWS) * _ROW_HEIGHT
    across = [f"{_COLUMNS[0]} {y} m {_COLUMNS[-1]} {y} l S" for y in range(_TABLE_TOP, bottom - 1, -_ROW_HEIGHT)]
    down = [f"{x} {_TABLE_TOP} m {x} {bottom} l S" for x in _COLUMNS]
    cells = [
        f"BT /F 10 Tf {left + 4} {_TABLE_TOP - row * _ROW_HEIGHT - 14} Td ({cell}) Tj ET"
        for row, values in enumerate(_ROWS)
        for left, cell in zip(_COLUMNS, values, strict=False)
    ]
    return "\n".join([f"BT /F 10 Tf 14 TL 56 790 Td {text} ET", *across, *down, *cells])
