"""What every chat model does: vendors' SDKs and our own HTTP, before servers that speak the documented protocols."""

import pytest

from docsieve.errors.providers import AnswerRefused, AnswerUnreadable, ProviderRefused
from docsieve.llm.port import ChatModel, FileUri, Image, Question, Schema
from tests.llm.loopback import KEY, MODEL, Loopback, Said

SCHEMA: Schema = {
    "type": "object",
    "x-rules": [{"rule": "total > 0"}],
    "properties": {
        "total": {"type": "number", "description": "what is to be paid", "x-labels": ["Total", "Summe"]},
        "currency": {"type": "string", "format": "currency"},
    },
    "required": ["total"],
}
QUESTION = Question("Find the total.", "Total: 12.50", SCHEMA, max_output_tokens=321)
PICTURE = Image("image/png", b"\x89PNG\xff\xfe\x00")


async def test_an_answer_is_json_with_what_it_cost(model: ChatModel, provider: Loopback) -> None:
    answer = await model.ask(QUESTION)
    assert answer.json == {"total": 12.5, "currency": None}
    assert answer.text == provider.said.text
    assert (answer.input_tokens, answer.cached_input_tokens, answer.output_tokens) == (120, 40, 30)
    assert answer.finish == "stop"
    assert answer.model.startswith(MODEL)
    assert model.name == f"{model.provider}:{model.model}" == f"{provider.protocol.name}:{MODEL}"


async def test_instructions_question_and_schema_arrive_apart_as_documented(
    model: ChatModel, provider: Loopback
) -> None:
    await model.ask(QUESTION)
    [heard] = provider.heard()
    assert (heard.model, heard.system, heard.user) == (MODEL, "Find the total.", "Total: 12.50")
    assert heard.most_tokens == 321
    total = heard.schema["properties"]["total"]
    assert total.pop("type") == ("number" if provider.protocol.name == "anthropic" else ["number", "null"])
    assert total == {"description": "what is to be paid"}
    assert heard.schema["additionalProperties"] is False
    assert not [word for word in str(heard.schema).split("'") if word.startswith("x-")]


async def test_the_key_goes_in_its_header_and_nowhere_else(model: ChatModel, provider: Loopback) -> None:
    await model.ask(QUESTION)
    [request] = provider.requests
    assert request.headers.pop(provider.protocol.key_header) == provider.protocol.key_value
    assert KEY not in request.path + str(request.headers) + str(request.body)


async def test_without_a_schema_the_answer_is_free_text(model: ChatModel, provider: Loopback) -> None:
    provider.said = Said("Twelve and a half.")
    answer = await model.ask(Question("", "How much?"))
    assert (answer.json, answer.text) == (None, "Twelve and a half.")
    [heard] = provider.heard()
    assert heard.schema is None
    assert heard.user == "How much?"


async def test_images_arrive_as_they_were(model: ChatModel, provider: Loopback) -> None:
    await model.ask(Question("", "What is this?", SCHEMA, images=[PICTURE, Image("image/jpeg", b"\xff\xd8")]))
    [heard] = provider.heard()
    assert heard.images == [("image/png", PICTURE.data), ("image/jpeg", b"\xff\xd8")]
    assert heard.user == "What is this?"


async def test_files_in_the_provider_s_store_go_by_their_address_or_not_at_all(
    model: ChatModel, provider: Loopback
) -> None:
    question = Question("", "What is this?", SCHEMA, files=[FileUri("gs://bucket/a.pdf", "application/pdf")])
    if model.file_types:
        await model.ask(question)
        [heard] = provider.heard()
        assert heard.files == [("gs://bucket/a.pdf", "application/pdf")]
    else:
        with pytest.raises(ProviderRefused, match="does not accept URIs of application/pdf files"):
            await model.ask(question)
        assert provider.requests == []


async def test_values_of_another_type_are_handed_on_for_the_caller_to_judge(
    model: ChatModel, provider: Loopback
) -> None:
    provider.said = Said('{"total": "12,50 EUR", "extra": [1]}')
    assert (await model.ask(QUESTION)).json == {"total": "12,50 EUR", "extra": [1]}


async def test_characters_that_cannot_be_stored_are_left_out(model: ChatModel, provider: Loopback) -> None:
    provider.said = Said(r'{"total": 1, "currency": "E\u0000U\ud800R", "\u0000note": ["\u0001x"]}')
    assert (await model.ask(QUESTION)).json == {"total": 1, "currency": "EUR", "note": ["x"]}


@pytest.mark.parametrize(
    "text",
    ['{"total": 12.', "", "The total is 12.50.", "[1]", "12.5", '{"total": NaN}'],
    ids=["cut", "nothing", "prose", "list", "number", "nan"],
)
async def test_an_answer_that_is_not_a_json_object_is_malformed_and_still_booked(
    model: ChatModel, provider: Loopback, text: str
) -> None:
    provider.said = Said(text)
    with pytest.raises(AnswerUnreadable) as caught:
        await model.ask(QUESTION)
    assert caught.value.answer.text == text
    assert caught.value.answer.input_tokens == 120
    assert caught.value.permanent is False
    assert len(provider.requests) == 1


async def test_an_answer_cut_at_its_limit_is_malformed_even_when_it_reads_well(
    model: ChatModel, provider: Loopback
) -> None:
    provider.said = Said('{"total": 12}', finish="length")
    with pytest.raises(AnswerUnreadable, match="exceeded the output limit") as caught:
        await model.ask(QUESTION)
    assert caught.value.answer.finish == "length"


@pytest.mark.parametrize("finish", ["refusal", "filter"])
async def test_a_refusal_is_final_and_was_paid_for(model: ChatModel, provider: Loopback, finish: str) -> None:
    provider.said = Said('{"total": 1}', finish=finish)
    with pytest.raises(AnswerRefused) as caught:
        await model.ask(QUESTION)
    assert caught.value.permanent is True
    assert caught.value.answer.input_tokens == 120
    assert len(provider.requests) == 1


async def test_json_between_fences_or_after_thoughts_is_found(model: ChatModel, provider: Loopback) -> None:
    for text in ('```json\n{"total": 1}\n```', '<think>\n{"total": 2}?\n</think>\n{"total": 1}'):
        provider.said = Said(text)
        assert (await model.ask(QUESTION)).json == {"total": 1}


async def test_a_schema_that_is_refused_goes_into_the_instructions_and_that_is_remembered(
    model: ChatModel, provider: Loopback
) -> None:
    provider.refuses_schemas = True
    assert (await model.ask(QUESTION)).json == {"total": 12.5, "currency": None}
    first, *_, last = provider.heard()
    assert first.schema is not None
    assert last.schema is None
    assert last.system.startswith("Find the total.\n\nAnswer with one JSON object")
    assert '"what is to be paid"' in last.system
    asked = len(provider.requests)
    await model.ask(QUESTION)
    assert len(provider.requests) == asked + 1


async def test_a_question_that_is_refused_in_every_form_raises_the_first_refusal(
    model: ChatModel, provider: Loopback
) -> None:
    provider.replies = [provider.problem(400, "first"), *[provider.problem(400, "later")] * 2]
    with pytest.raises(ProviderRefused, match=r"400 \((first|FIRST)\)"):
        await model.ask(QUESTION)
    provider.replies = []
    await model.ask(QUESTION)
    assert provider.heard()[-1].schema is not None
