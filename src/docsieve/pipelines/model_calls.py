"""Questions to a language model through metered calls: cached or new answers."""

import hashlib
import re
from collections.abc import Callable, Sequence
from dataclasses import asdict, replace
from typing import Any

import zstandard
from pydantic import TypeAdapter, ValidationError
from pydantic_core import to_json

from docsieve.domain.extraction import Proposal, Usage
from docsieve.domain.schemas.fields import Schema, fields_of
from docsieve.engines.llm.engine import VERSION, ShownPages, propose_by_model
from docsieve.engines.llm.prepare import PreparedText
from docsieve.errors.providers import AnswerRefused, AnswerUnreadable, ProviderError
from docsieve.llm.port import Answer, ChatModel, Question
from docsieve.providers.metered import MeteredCalls, Response

Price = Callable[[Answer], float | None]
"""The cost of an answer in US dollars; None if the model's price is unknown."""

_CHARACTERS_PER_TOKEN = 3.5
_TOKENS_PER_IMAGE = 1_200
_TOKENS_PER_FIELD = 15
_MAX_UNUSABLE_TEXT = 200_000
_MAX_BODY_BYTES = 64 * 1024**2
_MARKER = re.compile(r"<document ([0-9a-f]{16})>\n")

_answers = TypeAdapter(Answer)


class ModelCalls:
    """One model for one extraction or job. `usage` is what its answers used, and what cached ones saved."""

    def __init__(self, model: ChatModel, calls: MeteredCalls, price: Price) -> None:
        self.model = model
        self._calls = calls
        self._price = price
        self._unpriced = False

    @property
    def usage(self) -> Usage:
        details = {"price_unknown": self.model.name} if self._unpriced else {}
        return replace(self._calls.usage, details={**self._calls.usage.details, **details})

    async def ask(self, question: Question) -> Answer:
        """The answer to a question. Raises what `MeteredCalls.send` and `ChatModel.ask` raise."""

        async def call() -> Response:
            try:
                answer = await self.model.ask(question)
            except (AnswerUnreadable, AnswerRefused) as problem:
                return Response(_body(problem.answer, problem), self._usage(problem.answer), problem)
            return Response(_body(answer), self._usage(answer))

        likely = self._likely(question)
        body = await self._calls.send(
            question_key(question, self.model.name),
            call,
            expected=replace(self._usage(likely), calls=0),
            priced=self._price(likely) is not None,
        )
        return _answer(body)

    def expected(self, question: Question) -> Usage:
        """An estimate of what a question uses: good enough for limits and budgets, not for billing."""
        return replace(self._usage(self._likely(question)), calls=0)

    def _likely(self, question: Question) -> Answer:
        text = len(question.system) + len(question.user) + len(to_json(question.schema))
        read = int(text / _CHARACTERS_PER_TOKEN) + _TOKENS_PER_IMAGE * (len(question.images) + len(question.files))
        fields = fields_of(question.schema) if question.schema is not None else []
        written = _TOKENS_PER_FIELD * len(fields) + (read if any(field.group for field in fields) else 0)
        return Answer(None, "", read, min(written + 50, question.max_output_tokens), 0, self.model.model, "stop")

    def _usage(self, answer: Answer) -> Usage:
        cost = self._price(answer)
        self._unpriced = self._unpriced or cost is None
        return Usage(
            calls=1,
            input_tokens=answer.input_tokens,
            output_tokens=answer.output_tokens,
            cached_input_tokens=answer.cached_input_tokens,
            cost=cost or 0.0,
        )


async def propose(
    model_calls: ModelCalls,
    prepared: PreparedText,
    schema: Schema,
    *,
    prompt: str | None,
    shown: ShownPages | None = None,
    on_part: Callable[[int, int], None] | None = None,
) -> Proposal:
    """The model's proposal; `usage` includes all its answers."""
    proposal = await propose_by_model(
        prepared, schema, model_calls.model, prompt=prompt, ask=model_calls.ask, shown=shown, on_part=on_part
    )
    proposal.usage += model_calls.usage
    return proposal


def question_key(question: Question, model: str) -> bytes:
    """Equal for questions with the same answer; the random markers around documents do not count."""
    described: dict[str, Any] = {
        "engine": VERSION,
        "model": model,
        "system": question.system,
        "user": _without_markers(question.user),
        "schema": question.schema,
        "images": [[each.media_type, hashlib.sha256(each.data).hexdigest()] for each in question.images],
        "files": [asdict(each) for each in question.files],
        "max_output_tokens": question.max_output_tokens,
        "temperature": question.temperature,
    }
    return hashlib.sha256(to_json(described)).digest()


def _without_markers(text: str) -> str:
    """Markers are removed only where they surround a document; text inside a document is left unchanged."""
    pieces: list[str] = []
    place = 0
    while (opening := _MARKER.search(text, place)) is not None:
        closing = f"\n</document {opening[1]}>"
        end = text.find(closing, opening.end())
        if end < 0:
            break
        pieces += [text[place : opening.start()], "<document>\n", text[opening.end() : end], "\n</document>"]
        place = end + len(closing)
    return "".join([*pieces, text[place:]])


def _body(answer: Answer, problem: ProviderError | None = None) -> bytes:
    stored = asdict(answer)
    if problem is not None:
        stored |= {"json": None, "text": answer.text[:_MAX_UNUSABLE_TEXT]}
        stored |= {"problem": problem.code, "detail": problem.detail}
    return zstandard.compress(to_json(stored))


def _answer(body: bytes) -> Answer:
    """The stored answer. Raises the problem it was stored with."""
    try:
        stored = TypeAdapter(dict[str, Any]).validate_json(
            zstandard.ZstdDecompressor().decompress(body, max_output_size=_MAX_BODY_BYTES)
        )
        problem, detail = stored.pop("problem", None), str(stored.pop("detail", ""))
        answer = _answers.validate_python(stored)
    except (ValidationError, zstandard.ZstdError) as error:
        raise ProviderError("The cached answer is damaged.") from error
    for kind in _PROBLEMS:
        if problem == kind.code:
            raise kind(detail, answer)
    return answer


_PROBLEMS: Sequence[type[AnswerUnreadable] | type[AnswerRefused]] = (AnswerUnreadable, AnswerRefused)
