"""PDFs that are made from documents: searchable copies."""

import asyncio
from pathlib import Path
from typing import Any

import httpx
import pypdfium2 as pdfium

from docsieve.domain.pages.page import Line, Page, Word
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
