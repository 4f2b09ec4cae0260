"""The raw libraries: `python -m benchmarks.readings.raw pdf|ocr FILE…` prints the seconds that reading took.

PDFium gives each line's text and box; RapidOCR runs as Docsieve runs it, on the image as it is. Loading the library
and its models is not counted. Nothing is stored.
"""

import json
import sys
import time

from PIL import Image


def read_pdf(path: str) -> int:
    import pypdfium2 as pdfium

    document = pdfium.PdfDocument(path)
    boxes = 0
    for index in range(len(document)):
        page = document[index]
        text = page.get_textpage()
        for rect in range(text.count_rects()):
            box = text.get_rect(rect)
            boxes += bool(text.get_text_bounded(*box))
        text.close()
        page.close()
    document.close()
    return boxes


def read_scan(path: str) -> int:
    from docsieve.parsers.ocr.registry import engine

    with Image.open(path) as image:
        return len(engine("rapidocr").read(image.convert("RGB"), ("eng",)))


def main() -> None:
    kind, *paths = sys.argv[1:]
    read = {"pdf": read_pdf, "ocr": read_scan}[kind]
    read(paths[0])
    print(json.dumps({"ready": True}), flush=True)
    sys.stdin.readline()
    begun = time.perf_counter()
    found = [read(path) for path in paths]
    print(json.dumps({"seconds": time.perf_counter() - begun, "found": sum(found)}), flush=True)


if __name__ == "__main__":
    main()
