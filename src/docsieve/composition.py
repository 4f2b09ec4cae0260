"""The composition root: sandboxes, provider clients and read options, built from the settings.

Server processes (`wiring`) and commands without a server (`offline`) get them here, and nowhere else.
"""

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from docsieve.archives.unpack import SEQUENTIAL_SLICE_BYTES
from docsieve.embeddings.registry import PROVIDER as EMBEDDER
from docsieve.errors.setup import InvalidSettings
from docsieve.llm.prices import Prices, read_prices
from docsieve.llm.registry import COMPATIBLE, VENDORS, KnownModels, provider_names
from docsieve.outbound import client as outbound_client
from docsieve.outbound.http import OutboundClient
from docsieve.parsers.port import ReadOptions
from docsieve.pipelines.page_renderer import PageRenderer
from docsieve.pipelines.workdir import WorkDirs
from docsieve.remote.azure.client import PROVIDER as AZURE
from docsieve.remote.azure.prebuilt import AzureAccount
from docsieve.sandbox.limits import Limits
from docsieve.sandbox.pool import Sandbox
from docsieve.settings import Settings
from docsieve.tasks import registry as tasks
from docsieve.tasks import unpack

_RENDERING_PROCESSES = 2
_RENDER_SECONDS = 60.0
_UNPACK_TIMEOUTS = 4


@dataclass(frozen=True, slots=True)
class ProviderClients:
    """Clients of the configured providers. None makes a call before it is needed.

    `azure` is the account with Azure Document Intelligence.
    """

    models: KnownModels
    prices: Prices
    azure: AzureAccount | None = None


@asynccontextmanager
async def open_clients(settings: Settings) -> AsyncIterator[ProviderClients]:
    _check_provider_names(settings)
    models = KnownModels(settings)
    try:
        yield ProviderClients(models, read_prices(settings.data_dir), azure_account(settings))
    finally:
        await models.close()


@asynccontextmanager
async def open_outbound(settings: Settings) -> AsyncIterator[OutboundClient]:
    """For calls to addresses that users enter."""
    client = outbound_client(settings)
    try:
        yield client
    finally:
        await client.close()


def azure_account(settings: Settings) -> AzureAccount | None:
    endpoint, key = settings.provider_urls.get(AZURE), settings.provider_keys.get(AZURE)
    if endpoint is None or key is None:
        return None
    return AzureAccount(endpoint, key.get_secret_value())


def _check_provider_names(settings: Settings) -> None:
    """Raises InvalidSettings: the key of a misspelled provider would never be used."""
    for variable, names in (("KEYS", {*settings.provider_keys}), ("URLS", {*settings.provider_urls})):
        unknown = names - {*VENDORS, COMPATIBLE, EMBEDDER, AZURE}
        if unknown and (unknown := unknown - set(provider_names())):  # which looks at the installed packages
            known = ", ".join(sorted({*provider_names(), EMBEDDER, AZURE}))
            raise InvalidSettings(f"DOCSIEVE_PROVIDER_{variable}: unknown provider {min(unknown)}. Known: {known}.")


def document_sandbox(settings: Settings, *, processes: int, folder: Path | None = None) -> Sandbox:
    """For tasks that read documents or extract from them. Starts no process until the first task."""
    return Sandbox(_limits(settings, settings.parser_seconds), tasks=tasks, children=processes, folder=folder)


def unpack_sandbox(settings: Settings, *, processes: int, folder: Path) -> Sandbox:
    """For tasks that unpack a slice of an archive, which may end with an entry of the maximum size.

    A slice of a compressed tar begins with decompressing what earlier slices held, which takes time.
    """
    limits = replace(
        _limits(settings, _UNPACK_TIMEOUTS * settings.parser_seconds),
        output_bytes=SEQUENTIAL_SLICE_BYTES + settings.max_upload_bytes,
    )
    return Sandbox(limits, tasks=unpack, children=processes, folder=folder)


@asynccontextmanager
async def open_renderer(settings: Settings) -> AsyncIterator[PageRenderer]:
    """For page images, and copies of documents, that a client waits for. Starts no process until the first."""
    limits = _limits(settings, min(settings.parser_seconds, _RENDER_SECONDS))
    workdirs = WorkDirs(settings.data_dir)
    try:
        sandbox = Sandbox(limits, tasks=tasks, children=_RENDERING_PROCESSES, folder=workdirs.sandbox)
        async with PageRenderer(sandbox, workdirs.new) as renderer:
            yield renderer
    finally:
        workdirs.close()


def read_options(
    settings: Settings,
    *,
    password: str | None = None,
    ocr_engine: str | None = None,
    ocr_languages: Sequence[str] | None = None,
) -> ReadOptions:
    """What an upload chose for itself takes precedence over the settings."""
    return ReadOptions(
        password=password,
        max_pages=settings.max_pages,
        ocr_engine=ocr_engine or settings.ocr_engine,
        ocr_languages=tuple(ocr_languages or settings.ocr_languages),
    )


def _limits(settings: Settings, seconds: float) -> Limits:
    return Limits(memory_mb=settings.parser_memory_mb, wall_seconds=seconds, cpu_seconds=max(1, int(seconds)))
