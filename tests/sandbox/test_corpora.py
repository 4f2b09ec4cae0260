"""Real PDFs, many of them broken on purpose, through the real sandbox: each ends in pages or in a named error.

Those without text would only show how slow OCR is here; they go through the whole service in `tests/corpora`.
"""

import asyncio
from collections import Counter
from pathlib import Path

import pytest

from docsieve.domain.pagefile import TRAILER_BYTES, decode_page, decode_page_json, index_range, read_index
from docsieve.errors import CorruptDocument, DocsieveError, PasswordRequired
from docsieve.sandbox.limits import Limits
from docsieve.sandbox.pool import Sandbox
from tests.corpora.manifest import CORPORA, Kind, specimens

pytestmark = pytest.mark.skipif(not CORPORA.is_dir(), reason="the test corpora are not beside the repository")


async def test_every_pdf_of_the_corpora_ends_in_pages_or_in_a_named_error(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    sources = [each.path for each in specimens(["pdf_robustness"]) if each.text or each.kind is not Kind.OPEN]
    async with Sandbox(Limits(wall_seconds=100), children=2) as sandbox:
        outcomes = await asyncio.gather(
            *(_outcome(sandbox, source, tmp_path / str(place)) for place, source in enumerate(sources))
        )

    table = Counter(outcomes)
    with capsys.disabled():
        print(f"\n{len(sources)} documents:", ", ".join(f"{count} {code}" for code, count in table.most_common()))
    assert table.keys() <= {"pages", "pages, some failed", PasswordRequired.code, CorruptDocument.code}


async def _outcome(sandbox: Sandbox, source: Path, output: Path) -> str:
    arguments = {"source": str(source), "output": str(output), "media_type": "application/pdf"}
    try:
        summary = await sandbox.run("read_document", arguments)
    except DocsieveError as error:
        return error.code
    data = output.read_bytes()
    start, end = index_range(len(data), data[-TRAILER_BYTES:])
    index = read_index(data[start:end])
    assert index.page_count == summary["page_count"]
    for number in range(1, index.page_count + 1):
        page_start, page_end = index.page_range(number)
        page = decode_page(decode_page_json(data[page_start:page_end]))
        for line in page.lines:
            assert 0 <= line.box[0] <= line.box[2] <= page.width
            assert 0 <= line.box[1] <= line.box[3] <= page.height
    return "pages, some failed" if summary["pages_failed"] else "pages"
