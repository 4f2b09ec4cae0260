"""Gemini reads documents where they are stored, if that is Google Cloud Storage."""

import hashlib
import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from docsieve.blobs.registry import open_store
from tests.emulators.stores import emulator
from tests.jobs.conftest import SCHEMA, extracted, ready
from tests.llm.loopback import KEY, MODEL, Loopback, Said, serving
from tests.llm.protocols.gemini import Gemini
from tests.service import Service

PDF = (Path(__file__).parents[2] / "samples" / "documents" / "invoice-NL-2026-0417.pdf").read_bytes()


@pytest.fixture
def provider() -> Iterator[Loopback]:
    with serving(Gemini()) as started:
        started.said = Said(json.dumps(dict.fromkeys(SCHEMA["properties"])))
        yield started


async def test_gemini_gets_the_address_of_the_stored_file_and_no_image(
    start_service: Callable[..., Service], provider: Loopback, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with emulator("gs", tmp_path) as store:
        blob_url = f"gs://{store.create_bucket()}/blobs"
        service = start_service(
            **store.environment(),
            DOCSIEVE_BLOB_URL=blob_url,
            DOCSIEVE_LLM=f"gemini:{MODEL}",
            DOCSIEVE_GEMINI_KEY=KEY,
            DOCSIEVE_PROVIDER_URLS=f"gemini={provider.url}",
        )
        service.api()
        service.worker()
        document_id = ready(service, PDF, "invoice.pdf", schema="none")
        provider.requests.clear()

        found = extracted(service, document_id, schema=SCHEMA, engine="llm", show="images")

        assert found["status"] == "completed", found
        [heard] = provider.heard()
        [(uri, media_type)] = heard.files
        assert (heard.images, media_type) == ([], "application/pdf")
        assert uri.startswith(f"{blob_url}/documents/") and uri.endswith(f"/{document_id}")
        store.use(monkeypatch)
        content = await open_store(blob_url).get(uri.removeprefix(f"{blob_url}/"))
        assert hashlib.sha256(content).digest() == hashlib.sha256(PDF).digest()
        service.stop()
