"""Asking a language model through the seam where money is counted: questions in, kept or new answers out."""

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
from docsieve.engines.llm.engine import VERSION, Showing, propose_by_model
from docsieve.engines.llm.prepare import PreparedText
from docsieve.llm.port import Answer, AnswerMalformed, AnswerRefused, ChatModel, Question
from docsieve.pipelines.paying import Bought, Paying
from docsieve.providers import ProviderError

Price = Callable[[Answer], float | None]
"""What an answer cost in US dollars; None where the model's price is not known."""

_CHARACTERS_A_TOKEN = 3.5
_TOKENS_AN_IMAGE = 1_200
_TOKENS_A_FIELD = 15
_LONGEST_KEPT_TEXT = 200_000
_LARGEST_BODY = 64 * 1024**2
_MARK = re.compile(r"<document ([0-9a-f]{16})>\n")

_answers = TypeAdapter(Answer)


class Asking:
    """One model for one piece of work. `usage` is what its answers took, and what kept ones saved."""

    def __init__(self, model: ChatModel, paying: Paying, price: Price) -> None:
        self.model = model
        self._paying = paying
        self._price = price
        self._unpriced = False

    @property
    def usage(self) -> Usage:
        details = {"price_unknown": self.model.name} if self._unpriced else {}
        return replace(self._paying.usage, details={**self._paying.usage.details, **details})

    async def ask(self, question: Question) -> Answer:
        async def call() -> Bought:
            try:
                answer = await self.model.ask(question)
            except (AnswerMalformed, AnswerRefused) as trouble:
                return Bought(_body(trouble.answer, trouble), self._usage(trouble.answer), trouble)
            return Bought(_body(answer), self._usage(answer))

        likely = self._likely(question)
        body = await self._paying.buy(
            question_key(question, self.model.name),
            expected=replace(self._usage(likely), calls=0),
            call=call,
            priced=self._price(likely) is not None,
        )
        return _answer(body)

    def expected(self, question: Question) -> Usage:
        """About what a question takes: enough to keep within limits, not to be billed by."""
        return replace(self._usage(self._likely(question)), calls=0)

    def _likely(self, question: Question) -> Answer:
        text = len(question.system) + len(question.user) + len(to_json(question.schema))
        read = int(text / _CHARACTERS_A_TOKEN) + _TOKENS_AN_IMAGE * (len(question.images) + len(question.files))
        fields = fields_of(question.schema) if question.schema is not None else []
        written = _TOKENS_A_FIELD * len(fields) + (read if any(field.group for field in fields) else 0)
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
    asking: Asking,
    prepared: PreparedText,
    schema: Schema,
    *,
    prompt: str | None,
    showing: Showing | None = None,
    on_part: Callable[[int, int], None] | None = None,
) -> Proposal:
    """What the model says, with all that its answers took in `usage`."""
    proposal = await propose_by_model(
        prepared, schema, asking.model, prompt=prompt, ask=asking.ask, showing=showing, on_part=on_part
    )
    proposal.usage += asking.usage
    return proposal


def question_key(question: Question, model: str) -> bytes:
    """Equal for questions that deserve the same answer, whatever numbers the marks around their documents have."""
    described: dict[str, Any] = {
        "engine": VERSION,
        "model": model,
        "system": question.system,
        "user": _without_marks(question.user),
        "schema": question.schema,
        "images": [[each.media_type, hashlib.sha256(each.data).hexdigest()] for each in question.images],
        "files": [asdict(each) for each in question.files],
        "most": question.max_output_tokens,
        "temperature": question.temperature,
    }
    return hashlib.sha256(to_json(described)).digest()


def _without_marks(text: str) -> str:
    """Marks are replaced only where they surround a document; what stands inside of one is left as it is."""
    pieces: list[str] = []
    place = 0
    while (opening := _MARK.search(text, place)) is not None:
        closing = f"\n</document {opening[1]}>"
        end = text.find(closing, opening.end())
        if end < 0:
            break
        pieces += [text[place : opening.start()], "<document>\n", text[opening.end() : end], "\n</document>"]
        place = end + len(closing)
    return "".join([*pieces, text[place:]])


def _body(answer: Answer, trouble: ProviderError | None = None) -> bytes:
    kept = {**asdict(answer), "trouble": type(trouble).__name__ if trouble is not None else None}
    if trouble is not None:
        kept["json"], kept["text"] = None, answer.text[:_LONGEST_KEPT_TEXT]
        kept["said"] = trouble.detail
    return zstandard.compress(to_json(kept))


def _answer(body: bytes) -> Answer:
    """The kept answer. Raises the trouble that it was kept with."""
    try:
        kept = TypeAdapter(dict[str, Any]).validate_json(
            zstandard.ZstdDecompressor().decompress(body, max_output_size=_LARGEST_BODY)
        )
        trouble, said = kept.pop("trouble", None), str(kept.pop("said", ""))
        answer = _answers.validate_python(kept)
    except (ValidationError, zstandard.ZstdError) as error:
        raise ProviderError("An answer was kept that cannot be read any more.") from error
    for kind in _TROUBLES:
        if trouble == kind.__name__:
            raise kind(said, answer)
    return answer


_TROUBLES: Sequence[type[AnswerMalformed] | type[AnswerRefused]] = (AnswerMalformed, AnswerRefused)
