"""Document analysis by Azure's prebuilt models, through metered calls.

The worker sends documents and stores the responses; `engines/azure` reads them in the sandbox.
"""

import asyncio
import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import zstandard

from docsieve.domain.extraction import Usage
from docsieve.domain.pages.page import OnProgress, Progress
from docsieve.errors import UnsupportedType
from docsieve.errors.providers import NoPrebuiltModel, ProviderError
from docsieve.providers.limits import Limits
from docsieve.providers.metered import Ledger, MeteredCalls, Response
from docsieve.remote.azure.client import MAX_ANSWER_BYTES, PROVIDER
from docsieve.remote.azure.prebuilt import DOLLARS_A_PAGE, AzureAccount, analysis_key, prebuilt_model


@dataclass(frozen=True, slots=True)
class Original:
    """A document as it was uploaded; `pages` is the number of pages we read in it, which Azure charges for."""

    path: Path
    sha256: str
    media_type: str
    pages: int
    document_class: str | None = None
    password: str | None = None


@dataclass(frozen=True, slots=True)
class Analyses:
    """The provider's responses as files, in the order of the documents, and what they used."""

    answers: list[Path]
    usage: Usage
    models: list[str]


def model_for(schema_name: str | None, original: Original) -> str:
    """Raises NoPrebuiltModel."""
    model = prebuilt_model(schema_name, original.document_class)
    if model is None:
        raise NoPrebuiltModel(
            "Azure has prebuilt models for invoices, receipts, IDs, US tax forms, bank statements and contracts."
            " Name the schema after one of them, or use a different engine."
        )
    return model


async def analyze(
    account: AzureAccount,
    originals: Sequence[Original],
    folder: Path,
    *,
    schema_name: str | None,
    ledger: Ledger | None = None,
    limits: Limits | None = None,
    on_progress: OnProgress = lambda _: None,
) -> Analyses:
    """Analyze one document after another; a document that was analyzed before is not paid for again.

    Raises the faults of a document, NoPrebuiltModel, and what `MeteredCalls.send` raises.
    """
    chosen = [model_for(schema_name, original) for original in originals]
    usage, answers = Usage(), []
    for number, (original, model) in enumerate(zip(originals, chosen, strict=True)):
        calls = MeteredCalls(f"{PROVIDER}:{model}", ledger=ledger, limits=limits)
        on_progress(Progress("asking", number, len(originals)))
        answer = folder / f"analysis-{number}"
        await _analyze_one(account, original, model, answer, calls, on_progress)
        usage += calls.usage
        answers.append(answer)
    usage.details = {**usage.details, "prebuilt_models": sorted(set(chosen))}
    return Analyses(answers, usage, chosen)


async def _analyze_one(
    account: AzureAccount, original: Original, model: str, answer: Path, calls: MeteredCalls, on_progress: OnProgress
) -> None:
    azure = account.open(model)
    if original.media_type not in azure.media_types:
        raise UnsupportedType(f"The provider does not support {original.media_type}.")
    price = Usage(calls=1, pages=original.pages, cost=original.pages * DOLLARS_A_PAGE)

    async def call() -> Response:
        await azure.fetch(original.path, answer, password=original.password, on_progress=on_progress)
        return Response(await asyncio.to_thread(_compressed, answer), price)

    key = hashlib.sha256(analysis_key(original.sha256, model).encode()).digest()
    body = await calls.send(key, call, expected=price)
    await asyncio.to_thread(_write, body, answer)


def _compressed(answer: Path) -> bytes:
    return zstandard.compress(answer.read_bytes())


def _write(body: bytes, answer: Path) -> None:
    try:
        answer.write_bytes(zstandard.ZstdDecompressor().decompress(body, max_output_size=MAX_ANSWER_BYTES))
    except zstandard.ZstdError as error:
        raise ProviderError("The cached response is damaged.") from error
