"""The engine `llm`: a language model fills the schema from the documents' text, their images, or both.

Long documents are asked about part by part and the answers merged. Each question goes through `ask`, which is where
answers are kept, money is counted and limits hold; this engine knows nothing of that.
"""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Any

from docsieve.domain.extraction import PageInput, Proposal, Usage
from docsieve.domain.schemas.fields import Schema
from docsieve.engines.llm import questions
from docsieve.engines.llm.conformance import Fault, conform
from docsieve.engines.llm.merge import PartAnswer, merged, rows_of
from docsieve.engines.llm.prepare import PageRef, Part, PreparedText
from docsieve.engines.llm.split import halves
from docsieve.engines.llm.totals import addends_of, unreconciled
from docsieve.engines.port import EngineDescription
from docsieve.errors import DocsieveError
from docsieve.errors.providers import AnswerMalformed, AnswerUnreadable
from docsieve.llm.port import Answer, ChatModel, FileUri, Image, Question

VERSION = "1"
"""Changes whenever the same documents and schema would be asked about or merged differently."""

MODEL_ENGINE = EngineDescription(
    name="llm",
    version=VERSION,
    title="Language model",
    description="The text of the pages, or their images, goes to the model.",
    needs="model",
)

MAX_REPAIRS = 2
_AT_ONCE = 4
_MAX_SPLIT_DEPTH = 5
_MAX_PARTS_WITH_FILES = 3  # a file goes whole with each question and is paid for each time
_SHORT = 0.9  # of the rows that a part seems to hold

Ask = Callable[[Question], Awaitable[Answer]]
RenderPages = Callable[[Sequence[PageRef]], Awaitable[Sequence[Image]]]
FilesOf = Callable[[Sequence[PageRef]], Sequence[FileUri]]


@dataclass(frozen=True, slots=True)
class ShownPages:
    """The pages as the model gets them: text, images, both, or files in the provider's own store."""

    show: PageInput = "text"
    images: RenderPages | None = None
    files: FilesOf | None = None

    def for_parts(self, count: int) -> "ShownPages":
        """Leaves out the files of documents that are split into many parts."""
        if self.files is None or count <= _MAX_PARTS_WITH_FILES:
            return self
        return ShownPages(self.show if self.images is not None else "text", self.images)


async def propose_by_model(
    prepared: PreparedText,
    schema: Schema,
    model: ChatModel,
    *,
    prompt: str | None,
    ask: Ask,
    shown: ShownPages | None = None,
    on_part: Callable[[int, int], None] | None = None,
) -> Proposal:
    """Raises AnswerMalformed when repairs did not help, and whatever `ask` raises."""
    pages = (shown or ShownPages()).for_parts(len(prepared.parts))
    asking = _Asking(schema, model, prompt, ask, pages, on_part)
    answers = await asking.about(prepared.parts)
    found = await asyncio.to_thread(merged, schema, answers)
    short = await asyncio.to_thread(_short_parts, schema, {path: each.value for path, each in found.items()}, answers)
    if short:
        answers = await asking.about_short(answers, short)
        found = await asyncio.to_thread(merged, schema, answers)
    for each in found.values():
        each.why = each.why or f"answered by {model.name}"
    details = {"parts": len(answers), "repairs": asking.repairs, "asked_again_for_rows": len(short)}
    return Proposal(found, Usage(pages=prepared.pages, details=details))


class _Asking:
    def __init__(
        self,
        schema: Schema,
        model: ChatModel,
        prompt: str | None,
        ask: Ask,
        shown: ShownPages,
        on_part: Callable[[int, int], None] | None,
    ) -> None:
        self._schema = schema
        self._model = model
        self._system = questions.system_prompt(schema, prompt)
        self._ask = ask
        self._shown = shown
        self._on_part = on_part
        self._trouble: DocsieveError | None = None
        self._gate = asyncio.Semaphore(_AT_ONCE)
        self.repairs = 0

    async def about(self, parts: Sequence[Part], note: Callable[[Part], str] = lambda _: "") -> list[PartAnswer]:
        """The answers in the order of the parts.

        When one fails no other is begun, but those under way are waited for: they are paid for, and kept for the next
        attempt.
        """
        wanted = [part for part in parts if self._shown.show != "text" or part.lines]
        answered: list[list[PartAnswer]] = [[] for _ in wanted]
        done = 0

        async def one(number: int, part: Part) -> None:
            nonlocal done
            async with self._gate:
                if self._trouble is not None:
                    return
                try:
                    answered[number] = await self._about(part, note(part), _MAX_SPLIT_DEPTH)
                except DocsieveError as trouble:
                    self._trouble = self._trouble or trouble
                    return
            done += 1
            if self._on_part is not None:
                self._on_part(done, len(wanted))

        async with asyncio.TaskGroup() as group:
            for number, part in enumerate(wanted):
                group.create_task(one(number, part))
        if self._trouble is not None:
            raise self._trouble
        return [answer for several in answered for answer in several]

    async def about_short(self, answers: Sequence[PartAnswer], short: Sequence[int]) -> list[PartAnswer]:
        """Ask once more about the parts that gave fewer rows than they seem to hold; more rows are believed."""
        expected = {id(answers[number].part): _expected_rows(answers[number]) for number in short}

        def note(part: Part) -> str:
            return f"This part seems to hold about {expected[id(part)]} rows. List every one of them, to the last."

        again = await asyncio.gather(
            *(self.about([answers[number].part], note) for number in short), return_exceptions=True
        )
        replaced: dict[int, list[PartAnswer]] = {}
        for number, said in zip(short, again, strict=True):
            if isinstance(said, BaseException):
                raise said
            if sum(_row_count(self._schema, each) for each in said) > _row_count(self._schema, answers[number]):
                replaced[number] = said
        return [each for number, answer in enumerate(answers) for each in replaced.get(number, [answer])]

    async def _about(self, part: Part, note: str, depth: int) -> list[PartAnswer]:
        shown = self._shown
        images = await shown.images(part.pages) if shown.images is not None and shown.show != "text" else ()
        files = shown.files(part.pages) if shown.files is not None else ()
        first = questions.question(
            self._system, self._schema, part, show=shown.show, images=images, files=files, note=note
        )
        question, faults = first, list[Fault]()
        for attempt in range(1 + MAX_REPAIRS):
            last = attempt == MAX_REPAIRS
            try:
                answer = await self._ask(question)
            except AnswerUnreadable as malformed:
                if malformed.answer.finish == "length":
                    return await self._about_halves(part, note, depth)
                text, faults = malformed.answer.text, [Fault("/", "is not one JSON object", grave=True)]
            else:
                value, faults = await asyncio.to_thread(conform, self._schema, answer.json)
                if not faults or (last and not any(fault.grave for fault in faults)):
                    return [PartAnswer(part, value)]
                text = answer.text
            self.repairs += not last
            question = questions.asked_again(first, text, faults, time=attempt + 1)
        raise AnswerMalformed(_reason(self._model, faults))

    async def _about_halves(self, part: Part, note: str, depth: int) -> list[PartAnswer]:
        both = halves(part) if depth and self._shown.show != "images" else None
        if both is None:
            raise AnswerMalformed(
                f"The answer of {self._model.name} exceeded the model's output limit and was cut short."
            )
        return [answer for half in both for answer in await self._about(half, note, depth - 1)]


def _reason(model: ChatModel, faults: Sequence[Fault]) -> str:
    """Names places and types only: what the model wrote may repeat the document."""
    listed = "; ".join(f"{fault.where} {fault.what}" for fault in faults[:5])
    return f"{model.name} was asked {1 + MAX_REPAIRS} times and did not answer as the schema says: {listed}."


def _short_parts(schema: Schema, values: dict[str, Any], answers: Sequence[PartAnswer]) -> list[int]:
    """The parts that gave too few rows, where the rows do not add up to the document's total."""
    if not unreconciled(schema, values):
        return []
    return [
        number for number, answer in enumerate(answers) if _row_count(schema, answer) < _SHORT * _expected_rows(answer)
    ]


def _expected_rows(answer: PartAnswer) -> int:
    return answer.part.rows or answer.evidence.lines_with_amounts


def _row_count(schema: Schema, answer: PartAnswer) -> int:
    return sum(len(rows_of(answer.value, each.group)) for each in addends_of(schema))
