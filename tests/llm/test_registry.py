"""Which chat model the settings open."""

from dataclasses import dataclass

import pytest
from pydantic import SecretStr

from docsieve.llm.registry import UnknownModelProvider, open_model


@dataclass
class Wanted:
    llm: str | None = None
    llm_url: str = "http://127.0.0.1:1/v1"
    llm_key: SecretStr | None = None
    llm_model: str = "small"


def test_there_is_no_model_unless_one_is_wanted() -> None:
    assert open_model(Wanted()) is None


def test_a_model_is_named_for_its_provider() -> None:
    opened = open_model(Wanted("openai"))
    assert opened is not None
    assert opened.name == "openai:small"


def test_an_unknown_provider_is_refused_with_those_that_are_known() -> None:
    with pytest.raises(UnknownModelProvider, match="use openai"):
        open_model(Wanted("oracle"))
