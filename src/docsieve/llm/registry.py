"""Which chat model a name means: `openai:gpt-4o-mini`, `azure:deployment`, `compatible:qwen3:4b` …

A provider is named before the first colon. A name without one is a model of the provider in the settings. Installed
packages add providers through the entry point group `docsieve.models`: a callable that takes the settings and a model.
"""

from collections.abc import Callable
from dataclasses import dataclass
from importlib.metadata import entry_points
from importlib.util import find_spec
from pkgutil import resolve_name
from typing import Protocol

from pydantic import SecretStr

from docsieve.errors.providers import ModelNotConfigured, UnknownModelProvider
from docsieve.llm.port import ChatModel

ENTRY_POINTS = "docsieve.models"
COMPATIBLE = "compatible"
_COMPATIBLE_MODEL = "docsieve.llm.vendors.openai_compatible:OpenAICompatibleModel"


class ModelSettings(Protocol):
    """The part of the settings that is read here."""

    llm: str | None
    llm_url: str | None
    llm_key: SecretStr | None
    openai_key: SecretStr | None
    azure_openai_key: SecretStr | None
    anthropic_key: SecretStr | None
    gemini_key: SecretStr | None
    mistral_key: SecretStr | None
    provider_urls: dict[str, str]


@dataclass(frozen=True, slots=True)
class Vendor:
    """`adapter` is imported when it is wanted and `package`, from the extra `llm`, is installed."""

    adapter: str
    package: str
    key: str
    url: str | None


VENDORS = {
    "openai": Vendor("docsieve.llm.vendors.openai:OpenAIModel", "openai", "openai_key", "https://api.openai.com/v1"),
    "azure": Vendor("docsieve.llm.vendors.azure_openai:AzureOpenAIModel", "openai", "azure_openai_key", None),
    "anthropic": Vendor(
        "docsieve.llm.vendors.anthropic:AnthropicModel", "anthropic", "anthropic_key", "https://api.anthropic.com"
    ),
    "gemini": Vendor(
        "docsieve.llm.vendors.gemini:GeminiModel",
        "google.genai",
        "gemini_key",
        "https://generativelanguage.googleapis.com",
    ),
    "mistral": Vendor(
        "docsieve.llm.vendors.mistral:MistralModel", "mistralai", "mistral_key", "https://api.mistral.ai"
    ),
}


def provider_names() -> list[str]:
    return sorted({COMPATIBLE, *VENDORS, *(plugin.name for plugin in entry_points(group=ENTRY_POINTS))})


def model_name(settings: ModelSettings, *, provider: str | None = None, model: str | None = None) -> str | None:
    """The full name of the model that is meant, or None where neither the caller nor the settings want one.

    Raises UnknownModelProvider, or ModelNotConfigured for a provider without a model.
    """
    if provider is None and model is None:
        if settings.llm is None:
            return None
        model = settings.llm
    known = provider_names()
    if provider is None:
        named, colon, rest = (model or "").partition(":")
        if named in known and (colon or model == settings.llm):
            provider, model = named, rest
        elif settings.llm is None or model == settings.llm:
            raise UnknownModelProvider(
                f"{model} must have the form provider:model with one of these providers: {', '.join(known)}."
            )
        else:
            provider = settings.llm.partition(":")[0]
    if provider not in known:
        raise UnknownModelProvider(f"Unknown provider of language models: {provider}. Available: {', '.join(known)}.")
    if not model:
        raise ModelNotConfigured(f"Specify a model of {provider} as {provider}:model.")
    return f"{provider}:{model}"


def check_configured(settings: ModelSettings, model: str | None) -> None:
    """Raises UnknownModelProvider, or ModelNotConfigured where the settings lack what this model needs.

    Nothing is opened for it: a vendor's SDK takes seconds to load.
    """
    name = model_name(settings, model=model)
    if name is None:
        raise ModelNotConfigured("No language model is configured. Set DOCSIEVE_LLM.")
    provider = name.partition(":")[0]
    if provider == COMPATIBLE:
        _compatible_url(settings)
    elif provider == "openai":
        _openai_access(settings)
    elif provider in VENDORS:
        _vendor_access(settings, provider)


def open_model(settings: ModelSettings, *, provider: str | None = None, model: str | None = None) -> ChatModel | None:
    """Open the model that is meant, or None where none is wanted; nobody is called before its first use."""
    name = model_name(settings, provider=provider, model=model)
    if name is None:
        return None
    chosen, _, its_model = name.partition(":")
    if chosen == COMPATIBLE:
        return _open_compatible(settings, its_model)
    if chosen == "openai":
        return _open_openai(settings, its_model)
    if chosen in VENDORS:
        return _open_vendor(settings, chosen, its_model)
    [plugin] = list(entry_points(group=ENTRY_POINTS, name=chosen))[:1]
    opened: ChatModel = plugin.load()(settings, its_model)
    return opened


def _open_compatible(settings: ModelSettings, model: str) -> ChatModel:
    return _adapter(_COMPATIBLE_MODEL)(_compatible_url(settings), settings.llm_key, model)


def _compatible_url(settings: ModelSettings) -> str:
    if settings.llm_url is None:
        raise ModelNotConfigured("A compatible server needs its URL. Set DOCSIEVE_LLM_URL.")
    return settings.llm_url


def _open_openai(settings: ModelSettings, model: str) -> ChatModel:
    """Works without the SDK too, through the client for compatible servers."""
    key, url = _openai_access(settings)
    if _installed(VENDORS["openai"].package):
        return _open_vendor(settings, "openai", model)
    return _adapter(_COMPATIBLE_MODEL)(url, key, model, provider="openai")


def _openai_access(settings: ModelSettings) -> tuple[SecretStr, str]:
    if settings.openai_key is None:
        raise ModelNotConfigured("openai needs an API key. Set DOCSIEVE_OPENAI_KEY.")
    url = settings.provider_urls.get("openai") or VENDORS["openai"].url
    assert url is not None
    return settings.openai_key, url


def _open_vendor(settings: ModelSettings, provider: str, model: str) -> ChatModel:
    key, url = _vendor_access(settings, provider)
    return _adapter(VENDORS[provider].adapter)(model, key, url)


def _adapter(name: str) -> Callable[..., ChatModel]:
    """Imports it now: an SDK takes up to seconds, and the client for compatible servers 35 ms of processor time."""
    adapter: Callable[..., ChatModel] = resolve_name(name)
    return adapter


def _vendor_access(settings: ModelSettings, provider: str) -> tuple[SecretStr, str]:
    """The key and the address of a vendor whose SDK is there."""
    vendor = VENDORS[provider]
    key: SecretStr | None = getattr(settings, vendor.key)
    if key is None:
        raise ModelNotConfigured(f"{provider} needs an API key. Set DOCSIEVE_{vendor.key.upper()}.")
    url = settings.provider_urls.get(provider) or vendor.url
    if url is None:
        raise ModelNotConfigured(f"{provider} needs its URL. Set DOCSIEVE_PROVIDER_URLS={provider}=https://….")
    if not _installed(vendor.package):
        raise ModelNotConfigured(f"{provider} needs the vendor's SDK. Install docsieve[llm].")
    return key, url


def _installed(package: str) -> bool:
    try:
        return find_spec(package) is not None
    except ModuleNotFoundError:
        return False


class KnownModels:
    """The models that were asked for so far, each opened once; `chosen` is the one of the settings."""

    def __init__(self, settings: ModelSettings) -> None:
        self._settings = settings
        self._by_name: dict[str, ChatModel] = {}
        self.chosen = self.named(None)

    def named(self, model: str | None) -> ChatModel | None:
        """Raises UnknownModelProvider or ModelNotConfigured. Without a name it is the model of the settings."""
        name = model_name(self._settings, model=model)
        if name is None:
            return None
        if name not in self._by_name:
            opened = open_model(self._settings, model=name)
            assert opened is not None
            self._by_name[name] = opened
        return self._by_name[name]

    async def close(self) -> None:
        for model in self._by_name.values():
            await model.close()
