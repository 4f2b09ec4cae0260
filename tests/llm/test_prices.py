"""What answers cost."""

import json
from pathlib import Path

import pytest

from docsieve.errors.providers import PricesInvalid
from docsieve.llm.port import Answer
from docsieve.llm.prices import FILE_NAME, cost, read_prices, shipped_prices


def answer(
    model: str = "", *, input_tokens: int = 1_000_000, cached_input_tokens: int = 0, output_tokens: int = 0
) -> Answer:
    return Answer(None, "", input_tokens, output_tokens, cached_input_tokens, model, "stop")


def test_the_table_names_every_vendor_and_its_date() -> None:
    prices = shipped_prices()
    assert set(prices.models) == {"openai", "anthropic", "gemini", "mistral"}
    assert prices.as_of
    for models in prices.models.values():
        for price in models.values():
            assert (price.cached_input or 0) <= price.input
            assert price.output >= price.input or price.output == 0, "vectors are no tokens"
            assert price.above is None or price.above.input >= price.input


def test_cached_input_is_cheaper_and_output_dearer() -> None:
    spent = answer(input_tokens=1_000, cached_input_tokens=400, output_tokens=100)
    assert cost("openai", "gpt-4o-mini", spent) == pytest.approx((600 * 0.15 + 400 * 0.075 + 100 * 0.6) / 1e6)


def test_a_release_costs_what_its_model_does() -> None:
    assert cost("openai", "x", answer("gpt-4o-mini-2024-07-18")) == 0.15
    assert cost("anthropic", "x", answer("claude-haiku-4-5-20251001")) == 1.0
    assert cost("mistral", "x", answer("mistral-large-2512")) == 0.5


@pytest.mark.parametrize("model", ["gpt-4o-turbo", "gpt-4o-mini-high", "gpt-5.77", "gpt", ""])
def test_the_price_of_another_model_with_a_similar_name_is_unknown(model: str) -> None:
    assert cost("openai", model, answer(model)) is None


def test_the_price_of_the_requested_model_counts_if_the_one_that_answered_is_unknown() -> None:
    assert cost("openai", "gpt-4o-mini", answer("router-7")) == 0.15
    assert cost("compatible", "qwen3", answer("qwen3")) is None


def test_a_deployment_in_azure_costs_what_its_model_does_at_openai() -> None:
    assert cost("azure", "our-deployment", answer("gpt-4o-2024-11-20")) == 2.5


def test_a_long_question_costs_more_where_the_table_says_so() -> None:
    short, long = answer(input_tokens=272_000), answer(input_tokens=272_001)
    assert cost("openai", "gpt-5.4", short) == pytest.approx(272_000 * 2.5 / 1e6)
    assert cost("openai", "gpt-5.4", long) == pytest.approx(272_001 * 5.0 / 1e6)


def test_the_operator_s_file_adds_and_changes_prices(tmp_path: Path) -> None:
    own = {"compatible": {"qwen3": {"input": 1, "output": 2}}, "openai": {"gpt-4o-mini": {"input": 9, "output": 9}}}
    (tmp_path / FILE_NAME).write_text(json.dumps({"as_of": "2027-01", "models": own}))
    prices = read_prices(tmp_path)
    assert cost("compatible", "qwen3", answer(), prices) == 1.0
    assert cost("openai", "gpt-4o-mini", answer(), prices) == 9.0
    assert cost("openai", "gpt-4o", answer(), prices) == 2.5
    assert cost("openai", "gpt-4o-mini", answer()) == 0.15


def test_without_a_file_the_shipped_table_holds(tmp_path: Path) -> None:
    assert read_prices(tmp_path) is shipped_prices()


@pytest.mark.parametrize(
    ("content", "place"),
    [
        ("{", "the file"),
        ('{"as_of": "x", "models": {"openai": {"m": {"input": -1, "output": 1}}}}', "models.openai.m.input"),
        ('{"as_of": "x", "models": {"openai": {"m": {"input": 1, "ouput": 1}}}}', "models.openai.m"),
    ],
    ids=["no JSON", "negative", "misspelt"],
)
def test_an_invalid_price_file_is_rejected_with_the_location_of_the_error(
    tmp_path: Path, content: str, place: str
) -> None:
    (tmp_path / FILE_NAME).write_text(content)
    with pytest.raises(PricesInvalid, match=place):
        read_prices(tmp_path)
