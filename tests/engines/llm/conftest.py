"""A model behind the port that answers as it is told, and documents to ask it about."""

from collections.abc import Callable, Sequence
from typing import Any

from docsieve.domain.extraction import Material
from docsieve.domain.pages.page import Cell, Line, Page, Table
from docsieve.errors.providers import AnswerUnreadable
from docsieve.llm.port import Answer, ChatModel, Finish, Question

Reply = Any | Exception


def answered(value: Any, *, text: str | None = None, finish: Finish = "stop") -> Answer:
    return Answer(value, text if text is not None else str(value), 100, 20, 0, "scripted-1", finish)


def malformed(text: str = "{", finish: Finish = "stop") -> AnswerUnreadable:
    return AnswerUnreadable("no JSON", answered(None, text=text, finish=finish))


class ScriptedModel(ChatModel):
    """`reply` makes a value, or an error to raise, of a question."""

    provider, model, name = "test", "scripted-1", "test:scripted-1"
    takes_images = True
    file_types = frozenset({"application/pdf"})

    def __init__(self, reply: Callable[[Question], Reply]) -> None:
        self.reply = reply
        self.questions: list[Question] = []

    async def ask(self, question: Question) -> Answer:
        self.questions.append(question)
        value = self.reply(question)
        if isinstance(value, Exception):
            raise value
        return value if isinstance(value, Answer) else answered(value)

    async def close(self) -> None:
        """Nothing is open."""


def in_turn(*replies: Reply) -> Callable[[Question], Reply]:
    left = list(replies)
    return lambda question: left.pop(0)


def page(number: int, *lines: str, table: Table | None = None) -> Page:
    written = [Line(text, (50.0, 50.0 + 14 * at, 500.0, 60.0 + 14 * at)) for at, text in enumerate(lines)]
    return Page(number, 612.0, 792.0, written, tables=[table] if table else [])


def material(*pages: Page) -> Material:
    return Material("a-document", list(pages))


def grid(rows: Sequence[Sequence[str]], *, top: float = 300.0, header: bool = True) -> Table:
    cells = [
        Cell(row, column, text, _box(row, column, top), header=header and row == 0)
        for row, texts in enumerate(rows)
        for column, text in enumerate(texts)
    ]
    return Table((50.0, top, 500.0, top + 12.0 * len(rows)), len(rows), len(rows[0]), cells)


def _box(row: int, column: int, top: float) -> tuple[float, float, float, float]:
    return 50.0 + 100 * column, top + 12 * row, 140.0 + 100 * column, top + 12 * row + 10
