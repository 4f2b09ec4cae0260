"""Gemini reads documents where they are stored, if that is Google Cloud Storage."""

import base64
import hashlib
import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from docsieve.blobs.registry import open_store
from docsieve.blobs.sealed.envelope import MAGIC
from tests.emulators.stores import Emulator, emulator
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


@contextmanager
def serving_gemini(
    start_service: Callable[..., Service], provider: Loopback, folder: Path, **settings: str
) -> Iterator[tuple[Service, Emulator, str]]:
    with emulator("gs", folder) as store:
        blob_url = f"gs://{store.create_bucket()}/blobs"
        service = start_service(
            **store.environment(),
            DOCSIEVE_BLOB_URL=blob_url,
            DOCSIEVE_LLM=f"gemini:{MODEL}",
            DOCSIEVE_PROVIDER_KEYS=f"gemini={KEY}",
            DOCSIEVE_PROVIDER_URLS=f"gemini={provider.url}",
            **settings,
        )
        service.api()
        service.worker()
        yield service, store, blob_url
        service.stop()


async def test_gemini_gets_the_address_of_the_stored_file_and_no_image(
    start_service: Callable[..., Service], provider: Loopback, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with serving_gemini(start_service, provider, tmp_path) as (service, store, blob_url):
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


@pytest.mark.slow
async def test_gemini_gets_images_instead_of_addresses_of_encrypted_files(
    start_service: Callable[..., Service], provider: Loopback, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    secret = base64.b64encode(bytes(range(32))).decode()
    encrypted = {"DOCSIEVE_MASTER_KEY": "env:MASTER", "MASTER": secret}
    with serving_gemini(start_service, provider, tmp_path, **encrypted) as (service, store, blob_url):
        document_id = ready(service, PDF, "invoice.pdf", schema="none")
        provider.requests.clear()

        found = extracted(service, document_id, schema=SCHEMA, engine="llm", show="images")

        assert found["status"] == "completed", found
        [heard] = provider.heard()
        assert heard.files == [] and len(heard.images) == 1
        store.use(monkeypatch)
        stored = open_store(blob_url)
        contents = [await stored.get(blob.key) async for blob in stored.list()]
        assert len(contents) > 1 and all(content.startswith(MAGIC) for content in contents)
