"""Which chat model a name opens."""

import sys
from typing import Any

import pytest
from pydantic import SecretStr, ValidationError

from docsieve.errors.providers import ModelNotConfigured, UnknownModelProvider
from docsieve.llm.registry import KnownModels, check_configured, open_model, provider_names
from docsieve.llm.vendors.openai_compatible import OpenAICompatibleModel
from docsieve.settings import Settings
from tests.llm.conftest import PROTOCOLS
from tests.llm.loopback import KEY, MODEL, serving
from tests.llm.test_contract import QUESTION

LOCAL = "http://127.0.0.1:1/v1"


def wanted(**given: Any) -> Settings:
    return Settings(**given)


def test_there_is_no_model_unless_one_is_wanted() -> None:
    assert open_model(wanted()) is None
    with pytest.raises(ModelNotConfigured, match="DOCSIEVE_LLM"):
        check_configured(wanted(), None)


@pytest.mark.parametrize(
    ("name", "settings"),
    [
        ("openai:gpt-5", {"provider_keys": f"openai={KEY}"}),
        ("azure:ours", {"provider_keys": f"azure={KEY}", "provider_urls": "azure=https://ours.openai.azure.com"}),
        ("anthropic:claude-haiku-5-5", {"provider_keys": f"anthropic={KEY}"}),
        ("gemini:gemini-3.8-flash", {"provider_keys": f"gemini={KEY}"}),
        ("mistral:mistral-small-latest", {"provider_keys": f"mistral={KEY}"}),
        ("compatible:qwen3:4b", {"provider_urls": f"compatible={LOCAL}"}),
    ],
)
def test_a_model_is_named_for_its_provider(name: str, settings: dict[str, Any]) -> None:
    check_configured(wanted(llm=name, **settings), None)
    check_configured(wanted(**settings), name)
    opened = open_model(wanted(llm=name, **settings))
    assert opened is not None
    assert opened.name == name
    assert f"{opened.provider}:{opened.model}" == name


def test_a_project_may_name_the_model_of_another_provider_that_has_a_key() -> None:
    settings = wanted(llm="openai:gpt-5", provider_keys=f"openai={KEY},gemini={KEY}")
    opened = open_model(settings, model="gemini:gemini-2.5-flash")
    assert opened is not None
    assert opened.name == "gemini:gemini-2.5-flash"


def test_a_model_without_a_provider_is_one_of_the_provider_in_the_settings() -> None:
    for model in ("gpt-4.1", "ft:gpt-4o:ours"):
        opened = open_model(wanted(llm="openai:gpt-5", provider_keys=f"openai={KEY}"), model=model)
        assert opened is not None
        assert opened.name == f"openai:{model}"


@pytest.mark.parametrize("llm", ["openai", "openai:"])
def test_a_provider_without_a_model_is_refused(llm: str) -> None:
    with pytest.raises(ModelNotConfigured, match="openai:model"):
        open_model(wanted(llm=llm, provider_keys=f"openai={KEY}"))


def test_openai_needs_its_own_key() -> None:
    with pytest.raises(ModelNotConfigured, match="DOCSIEVE_PROVIDER_KEYS=openai="):
        open_model(wanted(llm="openai:gpt-5", provider_keys=f"compatible={KEY}", provider_urls=f"compatible={LOCAL}"))


def test_the_key_of_openai_never_goes_to_the_compatible_server() -> None:
    opened = open_model(
        wanted(llm="openai:gpt-5", provider_keys=f"openai={KEY},compatible=other", provider_urls=f"compatible={LOCAL}")
    )
    assert opened is not None
    assert vars(opened)["_url"] == "https://api.openai.com/v1"
    assert vars(opened)["_key"].get_secret_value() == KEY


@pytest.mark.parametrize("llm", ["oracle", "oracle:x", "gpt-4o"])
def test_an_unknown_provider_is_refused_with_those_that_are_known(llm: str) -> None:
    with pytest.raises(UnknownModelProvider, match="anthropic, azure, compatible, gemini, mistral, openai"):
        open_model(wanted(llm=llm))


def test_a_model_alone_needs_a_provider_in_the_settings() -> None:
    with pytest.raises(UnknownModelProvider):
        open_model(wanted(), model="gpt-4o")
    with pytest.raises(UnknownModelProvider):
        open_model(wanted(), provider="oracle", model="gpt-4o")


@pytest.mark.parametrize("provider", [*provider_names()])
def test_a_provider_without_its_key_or_address_says_what_to_set(provider: str) -> None:
    with pytest.raises(ModelNotConfigured, match="DOCSIEVE_") as caught:
        open_model(wanted(), model=f"{provider}:{MODEL}")
    assert caught.value.code == "model_not_configured"
    with pytest.raises(ModelNotConfigured) as foreseen:
        check_configured(wanted(), f"{provider}:{MODEL}")
    assert foreseen.value.detail == caught.value.detail


def test_azure_needs_its_endpoint_too() -> None:
    with pytest.raises(ModelNotConfigured, match="DOCSIEVE_PROVIDER_URLS=azure="):
        open_model(wanted(provider_keys=f"azure={KEY}"), model="azure:ours")


@pytest.mark.parametrize(
    "protocol", [each for each in PROTOCOLS if each.name != "compatible"], ids=lambda each: each.name
)
async def test_a_provider_s_address_can_be_another(protocol: Any) -> None:
    keys = dict.fromkeys(("openai", "azure", "anthropic", "gemini", "mistral"), KEY)
    with serving(protocol()) as provider:
        url = f"{provider.url}/v1" if protocol.name == "openai" else provider.url
        named, urls = f"{protocol.name}:{MODEL}", f"{protocol.name}={url}"
        models = KnownModels(wanted(llm=named, provider_urls=urls, provider_keys=keys))
        assert models.chosen is not None
        assert (await models.chosen.ask(QUESTION)).json == {"total": 12.5, "currency": None}
        await models.close()


async def test_each_model_is_opened_once() -> None:
    models = KnownModels(wanted(llm="openai:gpt-5", provider_keys={"openai": SecretStr(KEY)}))
    assert models.chosen is models.named(None) is models.named("gpt-5") is models.named("openai:gpt-5")
    assert models.named("gpt-4o") is not models.chosen
    await models.close()


def test_addresses_are_written_with_their_provider() -> None:
    with pytest.raises(ValidationError, match="provider=address"):
        wanted(provider_urls="http://127.0.0.1:1")
    assert wanted(provider_urls="openai=http://a/v1, gemini=http://b").provider_urls == {
        "openai": "http://a/v1",
        "gemini": "http://b",
    }


@pytest.mark.parametrize(
    ("name", "package"),
    [("anthropic", "anthropic"), ("gemini", "google.genai"), ("mistral", "mistralai"), ("azure", "openai")],
)
def test_a_vendor_without_its_sdk_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch, name: str, package: str
) -> None:
    monkeypatch.setitem(sys.modules, package, None)
    keys = dict.fromkeys(("azure", "anthropic", "gemini", "mistral"), KEY)
    with pytest.raises(ModelNotConfigured, match=r"Install docsieve\[llm\]"):
        open_model(wanted(provider_urls="azure=https://a", provider_keys=keys), model=f"{name}:{MODEL}")
    with pytest.raises(ModelNotConfigured, match=r"Install docsieve\[llm\]"):
        check_configured(wanted(provider_urls="azure=https://a", provider_keys=keys), f"{name}:{MODEL}")


def test_openai_needs_no_sdk(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "openai", None)
    opened = open_model(
        wanted(llm="openai:gpt-5", provider_keys=f"openai={KEY},compatible=other", provider_urls=f"compatible={LOCAL}")
    )
    assert isinstance(opened, OpenAICompatibleModel)
    check_configured(wanted(llm="openai:gpt-5", provider_keys=f"openai={KEY}"), None)
    server = vars(vars(opened)["_server"])
    assert server["_base_url"] == "https://api.openai.com/v1"
    assert server["_headers"] == {"Authorization": f"Bearer {KEY}"}
