"""The recipe with each engine, in real sandboxed children, before providers on loopback: one contract for all."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest
from pydantic import SecretStr

from docsieve.domain.extraction import ExtractionOutcome, ExtractionSpec, PageInput
from docsieve.domain.schemas.shape import leaves
from docsieve.engines.llm.engine import ShownPages
from docsieve.errors import Invalid
from docsieve.errors.providers import NoAccount, NoModel
from docsieve.llm.prices import Prices
from docsieve.llm.vendors.openai_compatible import OpenAICompatibleModel
from docsieve.parsers.port import ReadOptions
from docsieve.pipelines.engines.port import Runtime
from docsieve.pipelines.engines.registry import engine_named
from docsieve.pipelines.ocr import MachineOcr
from docsieve.pipelines.prebuilt import Original
from docsieve.pipelines.prompt_images import PromptImages
from docsieve.pipelines.providers import Providers
from docsieve.pipelines.read import read
from docsieve.pipelines.workdir import WorkDir
from docsieve.remote.azure.prebuilt import AzureAccount
from docsieve.sandbox.limits import Limits
from docsieve.sandbox.paths import InputPath
from docsieve.sandbox.pool import Sandbox
from docsieve.tasks import registry
from docsieve.tasks.documents import SourceDocument
from tests.asked_model import AskedModel, asked_model, said_to
from tests.jobs.conftest import INVOICE, SCHEMA
from tests.provider_server import KEY
from tests.remote.azure.azure_service import KEY as AZURE_KEY
from tests.remote.azure.azure_service import AzureService, azure_service, succeeded

PRICES = Prices.model_validate({"as_of": "2026-11", "models": {"compatible": {"tiny": {"input": 100, "output": 100}}}})


@dataclass
class Desk:
    """A sandbox, and documents that were read in it."""

    sandbox: Sandbox
    folder: Path

    async def document(self, content: bytes) -> SourceDocument:
        folder = self.folder / f"document-{len(list(self.folder.iterdir()))}"
        folder.mkdir()
        work = WorkDir(folder)
        work.original.write_bytes(content)
        _, analysis, _ = await read(
            self.sandbox,
            MachineOcr(self.folder, memory_mb=2048),
            work,
            media_type="text/plain",
            options=ReadOptions(),
            own_classes=(),
            attachments_of="none",
            on_progress=lambda _: None,
        )
        return SourceDocument(folder.name, InputPath(work.pages), analysis.language, "invoice")

    async def extract(
        self, *documents: SourceDocument, schema: Any = SCHEMA, providers: Providers | None = None, **asked: Any
    ) -> ExtractionOutcome:
        spec = ExtractionSpec(schema, **asked)
        runtime = Runtime(self.sandbox, WorkDir(self.folder))
        return await engine_named(spec.engine).extract(runtime, spec, documents, providers=providers)


@pytest.fixture
async def desk(tmp_path: Path) -> AsyncIterator[Desk]:
    async with Sandbox(Limits(), tasks=registry, children=2) as sandbox:
        yield Desk(sandbox, tmp_path)


@pytest.fixture
def model() -> Iterator[AskedModel]:
    with asked_model({"invoice_number": "INV-2041", "invoice_date": None, "total": 99.0, "purchase_order": None}) as it:
        yield it


def _providers(model: AskedModel) -> Providers:
    return Providers(OpenAICompatibleModel(model.server.url, SecretStr(KEY), "tiny"), PRICES)


async def test_what_a_model_says_is_found_on_the_page_or_called_ungrounded(desk: Desk, model: AskedModel) -> None:
    providers = _providers(model)
    found = await desk.extract(await desk.document(INVOICE), engine="llm", providers=providers)
    result = found.result
    assert (result.value["invoice_number"], result.value["total"]) == ("INV-2041", 99.0)
    assert result.metadata["invoice_number"].grounded
    assert result.metadata["invoice_number"].evidence[0].text == "INV-2041"
    assert not result.metadata["total"].grounded, "99 does not stand on the page"
    assert result.needs_review
    assert (found.model, result.usage.calls, result.usage.pages) == ("compatible:tiny", 1, 1)
    assert providers.model is not None
    await providers.model.close()


@pytest.mark.parametrize("show", ["images", "both"])
async def test_a_model_may_be_shown_the_pages_as_they_look(desk: Desk, model: AskedModel, show: PageInput) -> None:
    document = await desk.document(INVOICE)

    async def originals() -> list[Original]:
        return [Original(document.pages.with_name("original"), "0" * 64, "text/plain", 1)]

    images = PromptImages(desk.sandbox, WorkDir(desk.folder), [document], originals)
    shown = ShownPages(show, images=images.render)
    providers = replace(_providers(model), shown=shown)
    await desk.extract(document, engine="llm", providers=providers)
    [question] = model.questions
    assert "data:image/webp;base64," in said_to(question)
    assert ("INV-2041" in said_to(question)) is (show == "both")
    assert providers.model is not None
    await providers.model.close()


async def test_a_cascade_asks_only_for_what_the_local_engine_is_unsure_of(desk: Desk, model: AskedModel) -> None:
    providers = _providers(model)
    document = await desk.document(INVOICE)
    schema = {**SCHEMA, "required": ["purchase_order"]}
    found = (await desk.extract(document, schema=schema, engine="cascade", providers=providers, threshold=0.0)).result
    [question] = model.questions
    asked = question["response_format"]["json_schema"]["schema"]["properties"]
    assert asked.keys() == {"purchase_order"}
    assert found.value["total"] == 118.5, "what the local engine was sure of stays"
    assert found.usage.details["cascade"]["asked"] == ["purchase_order"]
    assert found.usage.saved > 0
    known = {name: each for name, each in SCHEMA["properties"].items() if found.value[name] is not None}
    schema = {"type": "object", "properties": known}
    sure = (await desk.extract(document, schema=schema, engine="cascade", providers=providers, threshold=0.0)).result
    assert (len(model.questions), sure.usage.calls, sure.usage.cost) == (1, 0, 0.0)
    assert sure.usage.saved > 0
    assert providers.model is not None
    await providers.model.close()


async def test_what_azure_found_is_mapped_onto_the_schema_and_found_on_our_pages(desk: Desk) -> None:
    async with azure_service() as azure:
        found = await _by_azure(desk, azure)
    assert (found.result.value["invoice_number"], found.result.value["total"]) == ("INV-2041", 118.5)
    assert found.result.metadata["invoice_number"].grounded
    assert found.model == "azure-document-intelligence:prebuilt-invoice"
    assert (found.result.usage.calls, found.result.usage.cost) == (1, 0.01)


async def _by_azure(desk: Desk, azure: AzureService) -> ExtractionOutcome:
    said = {
        "InvoiceId": {"type": "string", "confidence": 0.9, "content": "INV-2041", "valueString": "INV-2041"},
        "InvoiceTotal": {
            "type": "currency",
            "confidence": 0.9,
            "content": "118.50",
            "valueCurrency": {"amount": 118.5},
        },
    }
    page = {"pageNumber": 1, "angle": 0, "width": 8.5, "height": 11, "unit": "inch", "words": []}
    answer = {"docType": "invoice", "fields": said, "confidence": 1, "boundingRegions": [], "spans": []}
    azure.polls = [succeeded({"pages": [page], "documents": [answer], "content": ""})]
    document = await desk.document(INVOICE)

    async def originals() -> list[Original]:
        return [Original(document.pages.with_name("original"), "0" * 64, "application/pdf", 1, "invoice")]

    async def no_pause(seconds: float) -> None:
        await asyncio.sleep(0)

    account = AzureAccount(azure.endpoint, AZURE_KEY, no_pause)
    providers = Providers(account=account, originals=originals)
    return await desk.extract(
        document, engine="azure-document-intelligence", schema_name="invoice", providers=providers
    )


@pytest.mark.parametrize(
    ("engine", "kind"), [("llm", NoModel), ("cascade", NoModel), ("azure-document-intelligence", NoAccount)]
)
async def test_an_engine_without_its_provider_says_so(desk: Desk, engine: str, kind: type[Invalid]) -> None:
    document = await desk.document(INVOICE)
    with pytest.raises(kind):
        await desk.extract(document, engine=engine)


async def test_every_leaf_has_metadata_and_documents_keep_their_order(desk: Desk) -> None:
    documents = [await desk.document(each) for each in (b"Purchase order: 4711\n", INVOICE, b"Total: 7.00 EUR\n")]
    for some in (documents, documents[::-1]):
        result = (await desk.extract(*some)).result
        assert result.metadata.keys() == {path for path, _ in leaves(result.value)} == set(SCHEMA["properties"])
        for each in result.metadata.values():
            assert all(place.document_id in {document.id for document in documents} for place in each.evidence)
        [order] = result.metadata["purchase_order"].evidence
        assert order.document_id == documents[0].id


async def test_an_installed_local_engine_extracts_without_any_provider(desk: Desk) -> None:
    found = await desk.extract(await desk.document(INVOICE), engine="second")

    assert (found.result.value["invoice_number"], found.engine_version, found.model) == ("INV-2041", "7", None)
