"""The modes of structured output, best first, and which of them a provider rejected for which schema.

A provider may reject a schema as too large or unsupported. Then the schema goes into the instructions instead, and the
rejection is remembered, so that it happens once per schema.
"""

import json
from collections.abc import Awaitable, Callable, Sequence
from typing import Literal, TypeVar

from docsieve.errors.providers import ProviderRefused
from docsieve.llm.port import Question, Schema

Mode = Literal["schema", "json", "prompt"]
"""Structured output by schema; any JSON, the schema in the instructions; no constraint at all."""

_T = TypeVar("_T")
_MAY_MEAN_THE_SCHEMA = frozenset({400, 422, 501})
_MAX_REMEMBERED = 1_000


class Modes:
    def __init__(self, known: Sequence[Mode]) -> None:
        self._known = tuple(known)
        self._accepted: dict[str, Mode] = {}

    async def asked(self, question: Question, ask: Callable[[Mode], Awaitable[_T]]) -> _T:
        """The result of the first mode that is not rejected. Raises the error of the best mode."""
        first_refusal = None
        for mode in self._to_try(question):
            try:
                answered = await ask(mode)
            except ProviderRefused as refusal:
                first_refusal = first_refusal or refusal
                if refusal.answered not in _MAY_MEAN_THE_SCHEMA:
                    break
            else:
                self._remember(question, mode)
                return answered
        assert first_refusal is not None
        raise first_refusal

    def _to_try(self, question: Question) -> Sequence[Mode]:
        if question.schema is None:
            return ("prompt",)
        best = self._accepted.get(_key(question.schema), self._known[0])
        return self._known[self._known.index(best) :]

    def _remember(self, question: Question, mode: Mode) -> None:
        if question.schema is not None and mode != self._known[0]:
            if len(self._accepted) >= _MAX_REMEMBERED:
                self._accepted.clear()
            self._accepted[_key(question.schema)] = mode


def instructions(question: Question, schema: Schema | None) -> str:
    """The system prompt, with the schema included if it is not enforced otherwise."""
    if schema is None:
        return question.system
    told = "Answer with one JSON object and nothing else. It follows this JSON Schema:"
    return f"{question.system}\n\n{told}\n{json.dumps(schema, ensure_ascii=False)}".strip()


def _key(schema: Schema) -> str:
    return json.dumps(schema, sort_keys=True)
