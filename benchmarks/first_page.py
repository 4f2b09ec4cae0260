"""How soon the first page of a long scan can be seen, next to all of it: `python -m benchmarks.first_page --pages 300`.

Needs a running server, in DOCSIEVE_URL, whose key is in DOCSIEVE_API_KEY. It should be idle and have read a scan
before, so that neither the choice of an OCR backend nor the start of a process is measured.
"""

import argparse
import io
import os
import time
from collections.abc import Iterator
from typing import Any

import httpx
from PIL import Image, ImageDraw, ImageFont

LINES = (
    "1. The supplier delivers gloves, syringes and umbrellas as ordered each month.",
    "2. Payment is due within thirty days of the date of each invoice.",
    "3. Either party may end this agreement with three months notice.",
    "Deliveries are made on working days between eight and four o'clock.",
    "The buyer checks each delivery and reports damage within a week.",
)
ROWS = 35
EVERY_SECONDS = 0.1


def scan(pages: int) -> bytes:
    """Pages of A4 at 150 dpi, as images only."""
    content = io.BytesIO()
    first, *others = _images(pages)
    first.save(content, "PDF", save_all=True, append_images=others, resolution=150)
    return content.getvalue()


def _images(pages: int) -> Iterator[Image.Image]:
    font = ImageFont.load_default(24)
    for page in range(1, pages + 1):
        image = Image.new("L", (1240, 1754), 250)
        drawing = ImageDraw.Draw(image)
        drawing.text((560, 60), f"Page {page} of {pages}", fill=10, font=font)
        for row in range(ROWS):
            drawing.text((90, 140 + row * 42), LINES[(row + page) % len(LINES)], fill=10, font=font)
        yield image


def measure(client: httpx.Client, pages: int) -> dict[str, float]:
    """Seconds since the upload was answered."""
    sent = {"file": ("scan.pdf", scan(pages))}
    document_id = client.post("/documents", files=sent, data={"schema": "none"}).raise_for_status().json()["id"]
    began, seconds = time.monotonic(), dict[str, float]()
    while True:
        document: dict[str, Any] = client.get(f"/documents/{document_id}").raise_for_status().json()
        passed = round(time.monotonic() - began, 1)
        if "first page" not in seconds and (document["pages_shown"] or document["status"] == "ready"):
            client.get(f"/documents/{document_id}/pages/1").raise_for_status()
            seconds["first page"] = passed
        if document["status"] in ("ready", "failed", "cancelled"):
            break
        time.sleep(EVERY_SECONDS)
    if document["status"] != "ready":
        raise SystemExit(f"The document was not read: {document['error']}")
    seconds["all pages"] = passed
    client.delete(f"/documents/{document_id}").raise_for_status()
    return seconds


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pages", type=int, default=300)
    pages = parser.parse_args().pages
    url = os.environ.get("DOCSIEVE_URL", "http://127.0.0.1:8000")
    with httpx.Client(
        base_url=f"{url}/api/v1", headers={"X-API-Key": os.environ["DOCSIEVE_API_KEY"]}, timeout=120
    ) as client:
        for what, seconds in measure(client, pages).items():
            print(f"{what:<12}{seconds:>8.1f} s")


if __name__ == "__main__":
    main()
