"""Reads provider responses without trusting them: any part may be missing or malformed, whatever the SDK."""

import json
import re
from dataclasses import replace
from typing import Any, NoReturn

from docsieve.domain.text import clean
from docsieve.errors.providers import AnswerRefused, AnswerUnreadable
from docsieve.llm.port import Answer, Finish, Question

_THOUGHTS = re.compile(r"\A\s*<think>.*?</think>", re.DOTALL)
_FENCED = re.compile(r"\A\s*```[a-zA-Z]*\n(.*)\n\s*```\s*\Z", re.DOTALL)


def reach(value: Any, *steps: str | int) -> Any:
    """Follow names and indexes into SDK objects or JSON. Returns None if one is missing."""
    for step in steps:
        if isinstance(step, int):
            value = value[step] if isinstance(value, list | tuple) and len(value) > step else None
        else:
            value = value.get(step) if isinstance(value, dict) else getattr(value, step, None)
    return value


def count(value: Any, *steps: str | int) -> int:
    """A number of tokens; 0 for anything else."""
    found = reach(value, *steps)
    return found if isinstance(found, int) and not isinstance(found, bool) and found > 0 else 0


def read_answer(
    question: Question,
    *,
    text: Any,
    finish: Finish,
    input_tokens: int,
    output_tokens: int,
    cached_input_tokens: int,
    model: Any,
) -> Answer:
    """Return the answer with its parsed JSON. Raises AnswerRefused or AnswerUnreadable, which contain its usage."""
    answer = Answer(
        json=None,
        text=clean(text) if isinstance(text, str) else "",
        input_tokens=input_tokens,
        output_tokens=output_tokens,
        cached_input_tokens=min(cached_input_tokens, input_tokens),
        model=clean(model)[:200] if isinstance(model, str) else "",
        finish=finish,
    )
    if finish == "refusal":
        raise AnswerRefused("The language model declined to answer.", answer)
    if finish == "length":
        raise AnswerUnreadable("The language model's answer exceeded the output limit.", answer)
    if not answer.text.strip():
        raise AnswerUnreadable("The language model returned an empty answer.", answer)
    if question.schema is None:
        return answer
    return replace(answer, json=_object(answer))


def _object(answer: Answer) -> dict[str, Any]:
    text = _THOUGHTS.sub("", answer.text)
    if fenced := _FENCED.match(text):
        text = fenced[1]
    try:
        found = _cleaned(json.loads(text, parse_constant=_no_number))
    except (ValueError, RecursionError):
        raise AnswerUnreadable("The language model's answer is not JSON.", answer) from None
    if not isinstance(found, dict):
        raise AnswerUnreadable("The language model's answer is not a JSON object.", answer)
    return found


def _no_number(name: str) -> NoReturn:
    raise ValueError(name)


def _cleaned(value: Any) -> Any:
    """JSON can contain characters that PostgreSQL and other JSON parsers reject."""
    if isinstance(value, str):
        return clean(value)
    if isinstance(value, list):
        return [_cleaned(each) for each in value]
    if isinstance(value, dict):
        return {clean(name): _cleaned(each) for name, each in value.items()}
    return value
