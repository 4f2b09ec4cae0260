"""The raw libraries: `python -m benchmarks.readings.raw lines|words|parser|ocr FILE…` prints the seconds it took.

PDFium gives each line's text and box, or each word's; `parser` is Docsieve's own parser of PDF, alone; RapidOCR runs as
Docsieve runs it, on the image as it is. Loading the library and its models is not counted. Nothing is stored.
"""

import json
import re
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pypdfium2 as pdfium
from PIL import Image

from docsieve.parsers.pdf.format import PDF
from docsieve.parsers.port import ReadOptions

_WORD = re.compile(r"\S+")


def _text_pages(path: str) -> Iterator[pdfium.PdfTextPage]:
    document = pdfium.PdfDocument(path)
    for index in range(len(document)):
        page = document[index]
        text = page.get_textpage()
        yield text
        text.close()
        page.close()
    document.close()


def read_lines(path: str) -> int:
    boxes = 0
    for text in _text_pages(path):
        for rect in range(text.count_rects()):
            boxes += bool(text.get_text_bounded(*text.get_rect(rect)))
    return boxes


def read_words(path: str) -> int:
    """PDFium's rectangles of each word's characters; asked for the box of every character, it takes a third longer."""
    found = []
    for text in _text_pages(path):
        for word in _WORD.finditer(text.get_text_range()):
            count = text.count_rects(word.start(), word.end() - word.start())
            if boxes := [text.get_rect(rect) for rect in range(count)]:
                lefts, bottoms, rights, tops = zip(*boxes, strict=True)
                found.append((word.group(), (min(lefts), min(bottoms), max(rights), max(tops))))
    return len(found)


def read_by_parser(path: str) -> int:
    return sum(len(line.words) for page in PDF.read(Path(path), ReadOptions()).pages for line in page.lines)


def read_scan(path: str) -> int:
    from docsieve.parsers.ocr.backends import LADDER
    from docsieve.parsers.ocr.registry import engine

    with Image.open(path) as image:
        return len(engine("rapidocr", LADDER[0].name).read(image.convert("RGB"), ("eng",)))


def main() -> None:
    kind, *paths = sys.argv[1:]
    read = {"lines": read_lines, "words": read_words, "parser": read_by_parser, "ocr": read_scan}[kind]
    read(paths[0])
    print(json.dumps({"ready": True}), flush=True)
    sys.stdin.readline()
    begun = time.perf_counter()
    found = [read(path) for path in paths]
    print(json.dumps({"seconds": time.perf_counter() - begun, "found": sum(found)}), flush=True)


if __name__ == "__main__":
    main()
