"""The chat completions of OpenAI, which its own SDK, Azure, Mistral and the compatible servers share in the main."""

from base64 import b64encode
from typing import Any

from docsieve.llm.answers import count, reach, read_answer
from docsieve.llm.dialects import OPEN, STRICT, fits_strict, translated
from docsieve.llm.modes import Mode, instructions
from docsieve.llm.port import Answer, Finish, Image, Question, Schema

_FINISHES: dict[Any, Finish] = {
    "stop": "stop",
    "length": "length",
    "model_length": "length",
    "content_filter": "refusal",
}


def messages(question: Question, mode: Mode) -> list[dict[str, Any]]:
    """Instructions and question apart; without images the question is plain text, which every server understands."""
    in_words = None if question.schema is None or mode == "schema" else translated(question.schema, OPEN)
    content: Any = question.user
    if question.images:
        pictures = [{"type": "image_url", "image_url": {"url": data_url(each)}} for each in question.images]
        content = [*pictures, {"type": "text", "text": question.user}]
    return [{"role": "system", "content": instructions(question, in_words)}, {"role": "user", "content": content}]


def response_format(schema: Schema, mode: Mode) -> dict[str, Any]:
    if mode == "json":
        return {"type": "json_object"}
    strict = translated(schema, STRICT)
    return {"type": "json_schema", "json_schema": {"name": "answer", "schema": strict, "strict": fits_strict(strict)}}


def data_url(image: Image) -> str:
    return f"data:{image.media_type};base64,{b64encode(image.data).decode()}"


def read_completion(completion: Any, question: Question) -> Answer:
    message = reach(completion, "choices", 0, "message")
    finish: Finish = _FINISHES.get(_hashable(reach(completion, "choices", 0, "finish_reason")), "other")
    return read_answer(
        question,
        text=reach(message, "content"),
        finish="refusal" if reach(message, "refusal") else finish,
        input_tokens=count(completion, "usage", "prompt_tokens"),
        output_tokens=count(completion, "usage", "completion_tokens"),
        cached_input_tokens=count(completion, "usage", "prompt_tokens_details", "cached_tokens"),
        model=reach(completion, "model"),
    )


def _hashable(value: Any) -> str | None:
    return value if isinstance(value, str) else None
