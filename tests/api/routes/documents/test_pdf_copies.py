"""PDFs that are made from documents: searchable and redacted copies."""

import asyncio
from pathlib import Path
from typing import Any

import httpx
import pypdfium2 as pdfium

from docsieve.domain.extraction import Evidence, LeafMetadata, Result
from docsieve.domain.pages.page import Line, Page, Word
from tests.api.extracting import TOTAL, begun, complete
from tests.api.running import Running, assert_problem, uploaded

RECEIPT = Path(__file__).parents[4] / "samples" / "documents" / "receipt-harbour-market.jpg"


def scanned(*words: str) -> Page:
    placed = [Word(word, (40.0, 30.0 + 30 * at, 140.0, 50.0 + 30 * at)) for at, word in enumerate(words)]
    return Page(1, 324.0, 511.2, [Line(word.text, word.box, [word]) for word in placed], origin="ocr")


async def ready(api: Running, client: httpx.AsyncClient, page: Page, **given: Any) -> str:
    document = await uploaded(client, **{"content": RECEIPT.read_bytes(), "filename": "Beleg 1.jpg", **given})
    (job,) = await api.claim()
    await api.complete(job, page)
    return str(document["id"])


async def test_a_scan_becomes_a_pdf_with_its_text(api: Running, client: httpx.AsyncClient) -> None:
    document = await ready(api, client, scanned("Harbour", "Market"))
    url = f"/documents/{document}/file"
    answers = await asyncio.gather(*(client.get(url, params={"searchable": "true"}) for _ in range(3)))
    for answer in answers:
        assert answer.status_code == 200, answer.text
        assert answer.headers["content-type"] == "application/pdf"
        assert answer.headers["content-disposition"] == "attachment; filename*=UTF-8''Beleg%201.pdf"
        assert len(answer.content) == int(answer.headers["content-length"])
        assert answer.content == answers[0].content
    page = pdfium.PdfDocument(answers[0].content)[0]
    assert page.get_textpage().get_text_range().split() == ["Harbour", "Market"]
    assert (await client.get(url)).content == RECEIPT.read_bytes()


async def test_a_copy_is_deleted_with_its_document(api: Running, client: httpx.AsyncClient) -> None:
    document = await ready(api, client, scanned("Harbour"))
    await client.get(f"/documents/{document}/file", params={"searchable": "true"})
    assert any(key.endswith("/searchable.pdf") for key in await api.blobs())
    assert (await client.delete(f"/documents/{document}")).status_code == 204
    assert await api.blobs() == set()


async def test_what_cannot_become_searchable_is_refused(api: Running, client: httpx.AsyncClient) -> None:
    searchable = {"searchable": "true"}
    pending = (await uploaded(client, b"one"))["id"]
    assert_problem(await client.get(f"/documents/{pending}/file", params=searchable), 409, "document_not_ready")
    await api.claim()
    text = await ready(api, client, scanned("x"), content=b"two", filename="note.txt")
    assert_problem(await client.get(f"/documents/{text}/file", params=searchable), 409, "document_not_scanned")
    broken = await ready(api, client, scanned("x"), content=b"%PDF-1.7\nnothing", filename="broken.pdf")
    assert_problem(await client.get(f"/documents/{broken}/file", params=searchable), 422, "corrupt_document")


async def test_a_searchable_copy_belongs_to_its_tenant_and_is_recorded(api: Running, client: httpx.AsyncClient) -> None:
    document = await ready(api, client, scanned("Harbour"))
    other = await api.admin(await api.tenant("globex"))
    url = f"/documents/{document}/file"
    assert_problem(await other.get(url, params={"searchable": "true"}), 404, "not_found")
    before = await api.count("audit_log")
    await client.get(url, params={"searchable": "true"})
    assert await api.count("audit_log") == before + 1


async def _redacted(client: httpx.AsyncClient, document: str, **what: Any) -> list[str]:
    """The words that are left."""
    answer = await client.post(f"/documents/{document}/redact", json=what)
    assert answer.status_code == 200, answer.text
    assert answer.headers["content-type"] == "application/pdf"
    words: list[str] = pdfium.PdfDocument(answer.content)[0].get_textpage().get_text_range().split()
    return words


async def test_fields_texts_patterns_and_places_are_redacted(api: Running, client: httpx.AsyncClient) -> None:
    document = await ready(api, client, scanned("Harbour", "Market", "HARBOUR", "A1", "A12", "004871"))
    started = await begun(client, document, schema=TOTAL)
    place = Evidence(document, 1, 324.0, 511.2, (40.0, 30.0, 140.0, 50.0), "Harbour")
    await complete(
        api, started["id"], Result({"total": 5.0}, {"total": LeafMetadata(0.9, True, [place], needs_review=False)}, 0.9)
    )

    assert await _redacted(client, document, fields=["total"]) == ["Market", "A1", "A12", "004871"]
    assert await _redacted(client, document, texts=["a1"]) == ["Harbour", "Market", "HARBOUR", "A12", "004871"]
    assert await _redacted(client, document, patterns=["[0-9]{6}"]) == ["Harbour", "Market", "HARBOUR", "A1", "A12"]
    under = {"page": 1, "box": [0, 85, 300, 300]}
    assert await _redacted(client, document, places=[under]) == ["Harbour", "Market"]


async def test_a_redaction_that_finds_nothing_is_422(api: Running, client: httpx.AsyncClient) -> None:
    document = await ready(api, client, scanned("Harbour"))
    url = f"/documents/{document}/redact"
    for what in ({"texts": ["Harbour", "Bay"]}, {"patterns": ["Bay"]}):
        assert_problem(await client.post(url, json=what), 422, "nothing_redacted")
    assert_problem(await client.post(url, json={"patterns": ["("]}), 422, "pattern_invalid")
    assert_problem(await client.post(url, json={}), 422, "invalid_request")
    assert_problem(await client.post(url, json={"texts": [" "]}), 422, "invalid_request")
    assert_problem(await client.post(url, json={"fields": ["total"]}), 409, "extraction_not_completed")
    assert not any("redacted" in key for key in await api.blobs())


async def test_a_redacted_copy_belongs_to_its_tenant_and_is_recorded(api: Running, client: httpx.AsyncClient) -> None:
    document = await ready(api, client, scanned("Harbour"))
    other = await api.admin(await api.tenant("globex"))
    what = {"texts": ["Harbour"]}
    assert_problem(await other.post(f"/documents/{document}/redact", json=what), 404, "not_found")
    before = await api.count("audit_log")
    assert await _redacted(client, document, **what) == []
    assert await api.count("audit_log") == before + 1
