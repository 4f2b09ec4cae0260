"""What a sender may ask about the reading of a document."""

import pytest

from docsieve.db.access.tenants import Tenant
from tests.api.running import Running, assert_problem


@pytest.mark.parametrize(
    ("fields", "code"),
    [
        ({"ocr_engine": "no-such-engine"}, "ocr_engine_unknown"),
        ({"parser": "azure-layout"}, "invalid_request"),
        ({"ocr_languages": "eng,1"}, "invalid_request"),
        ({"attachments": "perhaps"}, "invalid_request"),
    ],
)
async def test_unavailable_options_are_rejected_immediately_and_nothing_is_stored(
    api: Running, acme: Tenant, fields: dict[str, str], code: str
) -> None:
    client = await api.admin(acme)

    answer = await client.post("/documents", files={"file": b"A text."}, data=fields)

    assert_problem(answer, 422, code)
    assert await api.blobs() == set() and await api.count("documents") == 0


async def test_options_are_stored_as_given(api: Running, acme: Tenant) -> None:
    client = await api.admin(acme)

    options = {"ocr_languages": "deu, eng", "ocr_engine": "tesseract", "attachments": "true"}
    answer = await client.post("/documents", files={"file": b"A text."}, data=options)

    assert answer.status_code == 200
    async with api.resources.database.system() as connection:
        kept = await connection.fetchval("select reading from documents")
    assert kept == '{"ocr_engine": "tesseract", "attachments": true, "ocr_languages": ["deu", "eng"]}'
