"""From upload to being found, through the real service: reading, OCR, language, class, images, search."""

from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from PIL import Image, ImageDraw, ImageFont

from tests.parsers.office.samples import SAMPLES as OFFICE
from tests.parsers.pdf.samples import write_pages
from tests.service import Service

LETTER = """Rechnung Nr. 4711

Sehr geehrte Damen und Herren,

für die gelieferten Regenschirme berechnen wir Ihnen wie vereinbart 12,50 EUR zuzüglich 19 % Mehrwertsteuer.
Rechnungsdatum: 02.11.2026, Gesamtbetrag: 14,88 EUR, zahlbar innerhalb von 14 Tagen auf unser Konto.
USt-IdNr. DE123456789, IBAN DE02120300000000202051
"""


def scan(*lines: str, turned: int = 0) -> bytes:
    image = Image.new("L", (1240, 900), 250)
    for row, line in enumerate(lines):
        ImageDraw.Draw(image).text((90, 100 + row * 70), line, fill=10, font=ImageFont.load_default(40))
    content = BytesIO()
    image.rotate(turned, expand=True, fillcolor=250).save(content, "PNG", dpi=(150, 150))
    return content.getvalue()


def test_documents_of_many_kinds_are_read_classified_shown_and_found(service: Service, tmp_path: Path) -> None:
    page = scan("Delivery note of the umbrella factory", "Forty seven umbrellas for the garden", turned=90)
    sent = {
        "letter": service.upload(LETTER.encode(), "letter.txt"),
        "scan": service.upload(page, "scan.png"),
        "office": service.upload(OFFICE["ooxml"](tmp_path / "office").read_bytes(), "office.docx"),
    }
    ids = {name: answer.raise_for_status().json()["id"] for name, answer in sent.items()}

    states = {name: service.settled(document_id, seconds=120) for name, document_id in ids.items()}

    assert {state["status"] for state in states.values()} == {"ready"}, states
    letter = service.client.get(f"/documents/{ids['letter']}").json()
    assert (letter["language"], letter["class"]) == ("de", "invoice") and letter["class_confidence"] > 0.5
    read = service.client.get(f"/documents/{ids['scan']}/pages/1").json()
    assert read["origin"] == "ocr" and read["turned"] == 90
    assert "Forty seven umbrellas" in "\n".join(line["text"] for line in read["lines"])
    assert all(word["confidence"] > 0.5 for line in read["lines"] for word in line["words"])
    image = service.client.get(f"/documents/{ids['scan']}/pages/1/image", params={"width": 300})
    assert image.headers["content-type"] == "image/webp"
    shown = Image.open(BytesIO(image.content))
    assert shown.width / shown.height == pytest.approx(read["width"] / read["height"], rel=0.02)

    hits = service.client.get("/search", params={"q": "umbrelas for the gardn"}).json()["hits"]

    assert hits[0]["document_id"] == ids["scan"] and hits[0]["page"] == 1 and hits[0]["boxes"]
    service.client.delete(f"/documents/{ids['scan']}").raise_for_status()
    left = service.client.get("/search", params={"q": "umbrellas for the garden"}).json()["hits"]
    assert ids["scan"] not in {hit["document_id"] for hit in left}


def test_a_plugin_may_leave_characters_in_its_text_that_the_database_refuses(service: Service) -> None:
    document_id = service.upload(b"%POISON nul", "poison").raise_for_status().json()["id"]

    state = service.settled(document_id)

    assert state["status"] == "ready", state
    [page] = service.client.get(f"/documents/{document_id}/text").json()["pages"]
    assert page["text"] == "nothing wrong"


def test_a_document_read_before_is_not_read_again_and_says_so(service: Service) -> None:
    content = scan("The same page twice")
    first = service.upload(content, "first.png").json()["id"]
    assert service.settled(first, seconds=120)["reading"]["cache_hit"] is False

    second = service.upload(content, "second.png").json()["id"]
    other = service.upload(content, "other.png", ocr_engine="tesseract").json()["id"]

    assert service.settled(second)["reading"]["cache_hit"] is True
    read = service.settled(other)
    assert read["status"] == "ready", read["error"]
    assert read["reading"]["cache_hit"] is False
    texts = [service.client.get(f"/documents/{each}/text").json()["text"] for each in (first, second, other)]
    assert texts == ["The same page twice"] * 3


def test_a_locked_document_is_read_once_its_password_is_given(service: Service, tmp_path: Path) -> None:
    locked = write_pages(tmp_path / "locked.pdf", [["The vault holds plums."]], password="plum-tree").read_bytes()
    document_id = service.upload(locked, "locked.pdf").json()["id"]
    assert service.settled(document_id)["error"]["code"] == "password_required"

    def read_with(**body: str) -> dict[str, Any]:
        service.client.post(f"/documents/{document_id}/reprocess", json=body).raise_for_status()
        return service.settled(document_id)

    assert read_with(password="cherry-tree")["error"]["code"] == "password_wrong"
    opened = read_with(password="plum-tree")
    assert (opened["status"], opened["error"]) == ("ready", None)
    assert service.client.get(f"/documents/{document_id}/text").json()["text"] == "The vault holds plums."
    assert service.client.get(f"/documents/{document_id}/thumbnail").status_code == 200
    assert read_with()["reading"]["cache_hit"] is True
    # pages that are there already do not make a wrong password right
    assert read_with(password="cherry-tree")["error"]["code"] == "password_wrong"
    assert "plum-tree" not in service.logs()
