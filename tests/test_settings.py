"""Settings as they are read from the environment."""

import pytest
from pydantic import ValidationError

from docsieve.cli.console.configuration import load_settings
from docsieve.composition import open_clients
from docsieve.errors.setup import InvalidSettings
from docsieve.settings import Settings

SECRET = "sk-4711=="


def test_a_variable_is_a_setting_and_an_empty_one_counts_as_not_set(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DOCSIEVE_PORT", "9000")
    monkeypatch.setenv("DOCSIEVE_HOST", "")
    read = Settings.from_environment()
    assert (read.port, read.host) == (9000, Settings().host)


def test_a_setting_that_is_misspelled_in_code_is_refused() -> None:
    with pytest.raises(ValidationError):
        Settings.model_validate({"prot": 1})


def test_keys_of_providers_are_secret(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DOCSIEVE_PROVIDER_KEYS", f"openai={SECRET}, gemini=other")
    read = load_settings()
    assert {name: key.get_secret_value() for name, key in read.provider_keys.items()} == {
        "openai": SECRET,
        "gemini": "other",
    }
    assert SECRET not in f"{read} {read!r} {read.model_dump()} {read.model_dump_json()}"


@pytest.mark.parametrize("wrong", [SECRET.replace("=", ""), f"openai={SECRET},sk-4711", "=sk-4711", "sk-4711="])
def test_a_key_without_its_provider_is_refused_and_not_repeated(monkeypatch: pytest.MonkeyPatch, wrong: str) -> None:
    monkeypatch.setenv("DOCSIEVE_PROVIDER_KEYS", wrong)
    with pytest.raises(InvalidSettings, match=r"DOCSIEVE_PROVIDER_KEYS: .*provider=key") as caught:
        load_settings()
    assert "4711" not in caught.value.detail


@pytest.mark.parametrize("given", [{"provider_keys": "opnai=k"}, {"provider_urls": "opnai=https://a/v1"}])
async def test_a_provider_that_does_not_exist_is_refused_with_those_that_do(given: dict[str, str]) -> None:
    with pytest.raises(
        InvalidSettings, match=r"opnai\. Known: anthropic, azure, azure-document-intelligence, .*openai"
    ):
        async with open_clients(Settings.model_validate(given)):
            pass
