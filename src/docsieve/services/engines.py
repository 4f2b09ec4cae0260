"""The engines of this server, and whether each can be used with the current configuration."""

from dataclasses import dataclass

from docsieve.db.access import projects
from docsieve.db.connection.session import Session
from docsieve.engines.port import EngineDescription, Need
from docsieve.errors import Invalid
from docsieve.errors.extractions import UnknownEngine
from docsieve.errors.providers import ModelNotConfigured, NoAccount, UnknownModelProvider
from docsieve.llm import registry as models
from docsieve.pipelines.engines.registry import engine_named, engines
from docsieve.remote.azure import client as azure_document_intelligence
from docsieve.settings import Settings

# The errors with which a request that names an engine may be refused.
_WHERE = "The API process lacks this; the API and all workers need the same provider settings."

UNUSABLE = (UnknownEngine, UnknownModelProvider, ModelNotConfigured, NoAccount)


@dataclass(frozen=True, slots=True)
class EngineStatus:
    """`why_not` is null for an engine that can be used."""

    about: EngineDescription
    why_not: str | None


def check_configured(settings: Settings, name: str, *, model: str | None) -> None:
    """Raises one of `UNUSABLE` for an engine that cannot work here.

    `model` is the one that the request or its project names. Called by the API, which refuses work before any worker
    sees it, so the message says where the setting is missing.
    """
    needs = engine_named(name).about.needs
    try:
        if needs == "model":
            models.check_configured(settings, model)
        elif needs == "azure" and (why_not := _why_no_azure(settings)) is not None:
            raise NoAccount(why_not)
    except (ModelNotConfigured, NoAccount) as lacking:
        raise type(lacking)(f"{lacking.detail} {_WHERE}") from None


async def list_engines(session: Session, settings: Settings) -> list[EngineStatus]:
    """The default engine first, then other local ones, then those that call out."""
    why_not: dict[Need | None, str | None] = {
        None: None,
        "model": await _why_no_model(session, settings),
        "azure": _why_no_azure(settings),
    }
    return [EngineStatus(engine.about, why_not[engine.about.needs]) for engine in engines().values()]


async def _why_no_model(session: Session, settings: Settings) -> str | None:
    """None if a visible project names a usable model, or the settings do."""
    named = [settings.llm] if settings.llm is not None else []
    named += [each.model for each in await projects.list_all(session) if each.model is not None]
    why_not = "No language model is set up on this server."
    for model in dict.fromkeys(named):
        try:
            models.check_configured(settings, model)
        except Invalid as lacking:
            why_not = lacking.detail
        else:
            return None
    return why_not


def _why_no_azure(settings: Settings) -> str | None:
    provider = azure_document_intelligence.PROVIDER
    for variable, names in (("KEYS", {*settings.provider_keys}), ("URLS", {*settings.provider_urls})):
        if provider not in names:
            return f"Azure Document Intelligence is not set up. Set DOCSIEVE_PROVIDER_{variable}={provider}=…."
    if not azure_document_intelligence.installed():
        return "Azure's library is missing on this server: install docsieve[azure]."
    return None
