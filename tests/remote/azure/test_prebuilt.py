"""Azure's prebuilt models, asked through the vendor's client."""

from pathlib import Path

import pytest

from docsieve.domain.schemas.ready import READY
from docsieve.engines.azure.engine import propose_from_analyses
from docsieve.errors import CorruptDocument, UnsupportedType
from docsieve.errors.providers import NoPrebuiltModel, ProviderBusy
from docsieve.pipelines.prebuilt import Analyses, Original, analyze
from docsieve.remote.azure.prebuilt import AzureAccount, prebuilt_model
from tests.engines.azure.prebuilt_answers import INVOICE
from tests.remote.azure.azure_service import KEY, RUNNING, AzureService, accepted, failed, refused, succeeded


@pytest.mark.parametrize(
    ("schema_name", "document_class", "model"),
    [
        ("invoice", None, "prebuilt-invoice"),
        ("our-invoices", None, "prebuilt-invoice"),
        ("w2", None, "prebuilt-tax.us.w2"),
        ("form-w-2", None, "prebuilt-tax.us.w2"),
        ("1099", None, "prebuilt-tax.us.1099Combo"),
        ("bank-statement", None, "prebuilt-bankStatement.us"),
        ("id-card", None, "prebuilt-idDocument"),
        ("nda", None, "prebuilt-contract"),
        ("anything", "receipt", "prebuilt-receipt"),
        (None, "tax_form", "prebuilt-tax.us"),
        ("paid", "letter", None),
        (None, None, None),
    ],
)
def test_the_model_follows_the_schemas_name_and_else_the_documents_class(
    schema_name: str | None, document_class: str | None, model: str | None
) -> None:
    assert prebuilt_model(schema_name, document_class) == model


class Analyzing:
    """Sends one document through the real client."""

    def __init__(self, service: AzureService, folder: Path) -> None:
        self.service, self.folder = service, folder
        self.original = Original(folder / "original", "0" * 64, "application/pdf", 3)
        self.original.path.write_bytes(b"%PDF-1.7 ...")
        self.pauses: list[float] = []

    async def run(self, schema_name: str | None = "invoice", *, original: Original | None = None) -> Analyses:
        async def pause(seconds: float) -> None:
            self.pauses.append(seconds)

        account = AzureAccount(self.service.endpoint, KEY, pause)
        return await analyze(account, [original or self.original], self.folder, schema_name=schema_name)


@pytest.fixture
def analyzing(service: AzureService, tmp_path: Path) -> Analyzing:
    return Analyzing(service, tmp_path)


async def test_a_document_is_sent_to_the_prebuilt_model_and_its_pages_are_counted(analyzing: Analyzing) -> None:
    analyzing.service.polls = [RUNNING, succeeded(INVOICE)]
    analyses = await analyzing.run()
    (path,) = analyzing.service.paths("POST")
    assert "/documentModels/prebuilt-invoice:analyze" in path
    assert (analyses.usage.pages, analyses.usage.calls, round(analyses.usage.cost, 6)) == (3, 1, 0.03)
    proposal = propose_from_analyses([analyses.answers[0].read_bytes()], [], READY["invoice"])
    assert proposal.found["total"].value == 119


async def test_a_busy_provider_says_how_long_to_wait(analyzing: Analyzing) -> None:
    analyzing.service.submits = [refused(429, "TooManyRequests", Retry_After="33")]
    with pytest.raises(ProviderBusy) as busy:
        await analyzing.run()
    assert busy.value.seconds == 33


async def test_polls_keep_the_pace_that_the_provider_asks_for(analyzing: Analyzing) -> None:
    analyzing.service.submits = [accepted()]
    slow = type(RUNNING)(body=RUNNING.body, headers={"Retry_After": "7"})
    analyzing.service.polls = [slow, succeeded(INVOICE)]
    await analyzing.run()
    assert analyzing.pauses == [7.0]


async def test_what_is_wrong_with_the_document_comes_out_as_such(analyzing: Analyzing) -> None:
    analyzing.service.polls = [failed("InvalidContent", "The file is corrupted.")]
    with pytest.raises(CorruptDocument):
        await analyzing.run()


async def test_nothing_is_sent_that_no_model_is_made_for(analyzing: Analyzing) -> None:
    with pytest.raises(NoPrebuiltModel):
        await analyzing.run("resume")
    text_file = Original(analyzing.original.path, "0" * 64, "text/plain", 1)
    with pytest.raises(UnsupportedType):
        await analyzing.run(original=text_file)
    assert analyzing.service.requests == []


def test_an_account_does_not_show_its_key() -> None:
    assert KEY not in repr(AzureAccount("https://x", KEY))
