"""Having Azure's prebuilt models analyse documents, through the seam where money is counted.

The worker sends documents and stores the answers; what they say is read in the sandbox, by `engines/azure_prebuilt`.
"""

import asyncio
import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import zstandard

from docsieve.domain.extraction import Usage
from docsieve.domain.pages import Progress
from docsieve.errors import Invalid, UnsupportedType
from docsieve.pipelines.paying import Bought, Ledger, Limits, Paying
from docsieve.providers import ProviderError
from docsieve.remote.azure.client import MAX_ANSWER_BYTES, PROVIDER
from docsieve.remote.azure.prebuilt import DOLLARS_A_PAGE, AzureAccount, kept_as, prebuilt_model
from docsieve.remote.port import OnProgress


class NoPrebuiltModel(Invalid):
    """The provider has no prebuilt model for such documents."""

    code = "no_prebuilt_model"


@dataclass(frozen=True, slots=True)
class Original:
    """A document as its sender gave it; `pages` is how many we read in it, which is what is paid for."""

    path: Path
    sha256: str
    media_type: str
    pages: int
    document_class: str | None = None
    password: str | None = None


@dataclass(frozen=True, slots=True)
class Analyses:
    """The provider's answers in the documents' order, as files, and what they took."""

    answers: list[Path]
    usage: Usage
    models: list[str]


def model_for(schema_name: str | None, original: Original) -> str:
    """Raises NoPrebuiltModel."""
    model = prebuilt_model(schema_name, original.document_class)
    if model is None:
        raise NoPrebuiltModel(
            "Azure has prebuilt models for invoices, receipts, IDs, US tax forms, bank statements and contracts;"
            " name the schema after one of them, or use another engine."
        )
    return model


async def analyse(
    account: AzureAccount,
    originals: Sequence[Original],
    folder: Path,
    *,
    schema_name: str | None,
    ledger: Ledger | None = None,
    limits: Limits | None = None,
    use_kept: bool = True,
    on_progress: OnProgress = lambda _: None,
) -> Analyses:
    """One document after another; those that were analysed before are not paid for again.

    Raises what is wrong with a document, NoPrebuiltModel, and what `Paying.buy` raises.
    """
    chosen = [model_for(schema_name, original) for original in originals]
    usage, answers = Usage(), []
    for number, (original, model) in enumerate(zip(originals, chosen, strict=True)):
        paying = Paying(f"{PROVIDER}:{model}", ledger=ledger, limits=limits, use_kept=use_kept)
        on_progress(Progress("asking", number, len(originals)))
        answer = folder / f"analysis-{number}"
        await _analyse_one(account, original, model, answer, paying, on_progress)
        usage += paying.usage
        answers.append(answer)
    usage.details = {**usage.details, "prebuilt_models": sorted(set(chosen))}
    return Analyses(answers, usage, chosen)


async def _analyse_one(
    account: AzureAccount, original: Original, model: str, answer: Path, paying: Paying, on_progress: OnProgress
) -> None:
    azure = account.open(model)
    if original.media_type not in azure.media_types:
        raise UnsupportedType(f"The provider does not read {original.media_type}.")
    price = Usage(calls=1, pages=original.pages, cost=original.pages * DOLLARS_A_PAGE)

    async def call() -> Bought:
        await azure.fetch(original.path, answer, password=original.password, on_progress=on_progress)
        return Bought(await asyncio.to_thread(_compressed, answer), price)

    key = hashlib.sha256(kept_as(original.sha256, model).encode()).digest()
    body = await paying.buy(key, expected=price, call=call)
    await asyncio.to_thread(_write, body, answer)


def _compressed(answer: Path) -> bytes:
    return zstandard.compress(answer.read_bytes())


def _write(body: bytes, answer: Path) -> None:
    try:
        answer.write_bytes(zstandard.ZstdDecompressor().decompress(body, max_output_size=MAX_ANSWER_BYTES))
    except zstandard.ZstdError as error:
        raise ProviderError("An answer was kept that cannot be read any more.") from error
