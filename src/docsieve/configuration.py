"""What is built from the settings alike for the server and for commands that run without one."""

from collections.abc import Sequence
from dataclasses import replace

from docsieve.parsers.port import ReadOptions
from docsieve.remote.azure.prebuilt import AzureAccount
from docsieve.sandbox.limits import Limits
from docsieve.settings import Settings

_RENDER_SECONDS = 60.0


def sandbox_limits(settings: Settings) -> Limits:
    """For tasks that read documents or extract from them."""
    return _limits(settings, settings.parser_seconds)


def render_limits(settings: Settings, *, output_bytes: int) -> Limits:
    """For tasks that render a page while a client waits."""
    return replace(_limits(settings, min(settings.parser_seconds, _RENDER_SECONDS)), output_bytes=output_bytes)


def _limits(settings: Settings, seconds: float) -> Limits:
    return Limits(memory_mb=settings.parser_memory_mb, wall_seconds=seconds, cpu_seconds=max(1, int(seconds)))


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


def azure_account(settings: Settings) -> AzureAccount | None:
    """The account with Azure Document Intelligence, if one is configured."""
    if settings.azure_endpoint is None or settings.azure_key is None:
        return None
    return AzureAccount(settings.azure_endpoint, settings.azure_key.get_secret_value())
