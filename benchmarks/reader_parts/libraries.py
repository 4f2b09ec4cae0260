"""The readers, each in a separate process: `python -m benchmarks.reader_parts.libraries NAME`.

Every line of its input is the path of a document, every line of its output the answer: the words it read and the CPU
seconds that took, or the name of the error.
"""

import asyncio
import json
import os
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from benchmarks.reader_parts.words import words_in

Read = Callable[[Path], str]

_PACKAGES = frozenset({".docx", ".pptx", ".xlsx", ".xls", ".msg", ".html", ".epub"})
_SHEETS = frozenset({".xlsx", ".xlsm", ".xls", ".xlsb", ".ods"})
_OPEN_DOCUMENTS = frozenset({".odt", ".odp", ".ods"})


@dataclass(frozen=True, slots=True)
class Library:
    """Readers of one `family` share code, so that one does not confirm the other. No `suffixes` means all formats."""

    family: str
    load: Callable[[], Read]
    suffixes: frozenset[str] | None = None

    def reads(self, path: Path) -> bool:
        return self.suffixes is None or path.suffix in self.suffixes


def _docsieve() -> Read:
    from docsieve.parsers.port import HEAD_BYTES, ReadOptions
    from docsieve.parsers.registry import detect, parser_for

    def read(path: Path) -> str:
        with path.open("rb") as file:
            media_type = detect(file.read(HEAD_BYTES))
        reading = parser_for(media_type or "unknown").read(path, ReadOptions())
        return "\n".join(page.text for page in reading.pages)

    return read


def _xberg() -> Read:
    import xberg

    config = xberg.ExtractionConfig(use_cache=False, disable_ocr=True)

    async def extract(path: Path) -> str:
        source = xberg.ExtractInput(kind=xberg.ExtractInputKind.URI, uri=str(path))
        return "\n".join(result.content for result in (await xberg.extract(source, config)).results)

    return lambda path: asyncio.run(extract(path))


def _kreuzberg() -> Read:
    import kreuzberg

    config = kreuzberg.ExtractionConfig(use_cache=False)
    return lambda path: str(kreuzberg.extract_file_sync(str(path), config=config).content)


def _markitdown() -> Read:
    from markitdown import MarkItDown

    converter = MarkItDown()
    return lambda path: str(converter.convert(path).text_content)


def _calamine() -> Read:
    from python_calamine import CalamineWorkbook

    def read(path: Path) -> str:
        workbook = CalamineWorkbook.from_path(str(path))
        rows = (row for name in workbook.sheet_names for row in workbook.get_sheet_by_name(name).to_python())
        return "\n".join([*workbook.sheet_names, *(" ".join(map(str, row)) for row in rows)])

    return read


def _odfpy() -> Read:
    from odf import teletype
    from odf.opendocument import load
    from odf.text import H, P

    def read(path: Path) -> str:
        document = load(str(path))
        return "\n".join(
            teletype.extractText(element) for kind in (H, P) for element in document.getElementsByType(kind)
        )

    return read


LIBRARIES = {
    "docsieve": Library("docsieve", _docsieve),
    "xberg": Library("xberg", _xberg),
    "kreuzberg": Library("xberg", _kreuzberg),
    "markitdown": Library("markitdown", _markitdown, _PACKAGES),
    "calamine": Library("calamine", _calamine, _SHEETS),
    "odfpy": Library("odfpy", _odfpy, _OPEN_DOCUMENTS),
}


def main() -> None:
    # Libraries that print must not disturb the answers.
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    read = LIBRARIES[sys.argv[1]].load()
    with tempfile.TemporaryDirectory(prefix="bench-readers-") as folder:
        os.chdir(folder)
        for line in sys.stdin:
            answers.write(json.dumps(_answer(read, Path(line.rstrip("\n")))) + "\n")
            answers.flush()


def _answer(read: Read, path: Path) -> dict[str, object]:
    begun = time.process_time()
    try:
        text = read(path)
    except (KeyboardInterrupt, SystemExit):
        raise
    except BaseException as error:  # noqa: BLE001 - panics of native libraries are no exceptions
        return {"error": type(error).__name__}
    return {"seconds": time.process_time() - begun, "words": sorted(words_in(text))}


if __name__ == "__main__":
    main()
