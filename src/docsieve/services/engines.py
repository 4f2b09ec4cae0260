"""Which engines there are here, in words, and whether each can be used with what is configured."""

from dataclasses import dataclass

from docsieve.db.access import projects
from docsieve.db.connection.session import Session
from docsieve.engines.azure import engine as azure_prebuilt
from docsieve.engines.llm import cascade
from docsieve.engines.llm import engine as model_engine
from docsieve.engines.registry import UnknownEngine, engine_names, local_engines
from docsieve.errors import Invalid
from docsieve.llm import registry as models
from docsieve.pipelines.extracting import DEFAULT_ENGINE
from docsieve.pipelines.outside import NoAccount
from docsieve.remote.azure import client as azure_document_intelligence
from docsieve.settings import Settings

_ASKING_A_MODEL = (cascade.NAME, model_engine.NAME)

# What naming an engine can be refused with.
UNUSABLE = (UnknownEngine, models.UnknownModelProvider, models.ModelNotConfigured, NoAccount)


@dataclass(frozen=True, slots=True)
class EngineFacts:
    """`remote` engines send text or pages to a provider; `why_not` is null for one that can be used."""

    name: str
    title: str
    description: str
    remote: bool
    why_not: str | None = None

    @property
    def available(self) -> bool:
        return self.why_not is None


def check_known(name: str) -> None:
    """Raises UnknownEngine."""
    if name not in engine_names():
        raise UnknownEngine(f"This server has no engine named {name}; use {', '.join(engine_names())}.")


def check_configured(settings: Settings, name: str, *, model: str | None) -> None:
    """Raises one of `UNUSABLE` for an engine that could not work here.

    `model` is the one that the request or its project names.
    """
    check_known(name)
    if name in _ASKING_A_MODEL:
        models.check_configured(settings, model)
    elif name == azure_prebuilt.NAME and (why_not := _why_no_azure(settings)) is not None:
        raise NoAccount(why_not)


async def list_engines(session: Session, settings: Settings) -> list[EngineFacts]:
    """The default one first, then other local ones, then those that ask somebody outside."""
    no_model = await _why_no_model(session, settings)
    local = sorted(local_engines(), key=lambda name: (name != DEFAULT_ENGINE, name))
    return [
        *(_local(name) for name in local),
        EngineFacts(
            cascade.NAME,
            "Built in first, then a language model",
            "The model is asked only for what the built-in way is unsure of.",
            remote=True,
            why_not=no_model,
        ),
        EngineFacts(
            model_engine.NAME,
            "Language model",
            "The text of the pages, or their images, goes to the model.",
            remote=True,
            why_not=no_model,
        ),
        EngineFacts(
            azure_prebuilt.NAME,
            "Azure Document Intelligence",
            "The document goes to Azure, which knows invoices, receipts, IDs, tax forms, bank papers and contracts.",
            remote=True,
            why_not=_why_no_azure(settings),
        ),
    ]


def _local(name: str) -> EngineFacts:
    if name == DEFAULT_ENGINE:
        return EngineFacts(name, "Built in", "Works on this machine; nothing leaves it.", remote=False)
    return EngineFacts(name, name, "Added by an installed package; works on this machine.", remote=False)


async def _why_no_model(session: Session, settings: Settings) -> str | None:
    """A project in sight that names a model does as well as the settings."""
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
    if settings.azure_endpoint is None or settings.azure_key is None:
        return "Azure Document Intelligence is not set up: set DOCSIEVE_AZURE_ENDPOINT and DOCSIEVE_AZURE_KEY."
    if not azure_document_intelligence.installed():
        return "Azure's library is missing on this server: install docsieve[azure]."
    return None
