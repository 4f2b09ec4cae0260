"""A sample document. Reading it loads the models, tables and patterns that most documents need."""

from pathlib import Path

from docsieve import folders
from docsieve.sandbox.paths import InputPath, OutputPath
from docsieve.tasks.analyze import AnalysisOptions
from docsieve.tasks.read import ReadDocument

# Enough to be read, classified and cut into chunks.
_TEXT = "Invoice number 1 of 2 January 2024. The total amount is due within thirty days. Thank you for your order."
_PDF_OBJECTS = (
    "<</Type/Catalog/Pages 2 0 R>>",
    "<</Type/Pages/Kids[3 0 R]/Count 1>>",
    "<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Contents 4 0 R/Resources<</Font<</F 5 0 R>>>>>>",
    "<</Length {length}>>stream\n{content}\nendstream",
    "<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>",
)


def read_sample(folder: Path) -> None:
    """Read and analyze the sample in a new folder, which is removed after that."""
    folder.mkdir()
    try:
        source = folder / "sample.pdf"
        source.write_bytes(_sample_pdf())
        task = ReadDocument(
            source=InputPath(source),
            pages=OutputPath(folder / "pages"),
            media_type="application/pdf",
            analysis=AnalysisOptions(OutputPath(folder / "chunks")),
        )
        task.perform(lambda _: None)
    finally:
        folders.remove(folder)


def _sample_pdf() -> bytes:
    content = f"BT /F 12 Tf 40 800 Td ({_TEXT}) Tj ET"
    made, places = "%PDF-1.4\n", []
    for number, body in enumerate(_PDF_OBJECTS, start=1):
        places.append(len(made))
        filled = body.replace("{length}", str(len(content))).replace("{content}", content)
        made += f"{number} 0 obj\n{filled}\nendobj\n"
    table = "".join(f"{place:010} 00000 n \n" for place in places)
    size = len(places) + 1
    ending = f"trailer\n<</Size {size}/Root 1 0 R>>\nstartxref\n{len(made)}\n%%EOF\n"
    return f"{made}xref\n0 {size}\n0000000000 65535 f \n{table}{ending}".encode()
