"""What a chat model does; every adapter passes `tests/llm/test_contract.py`.

It fails with what `docsieve.providers` knows, and with two facts about an answer that came and was paid for:

    ProviderError
    ├── AnswerMalformed      answer_unreadable  cut short, or not the JSON that was asked for; worth asking again
    └── ProviderRefused
        └── AnswerRefused    answer_refused     the model or the provider's filter declined to answer
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

from docsieve.providers import ProviderError, ProviderRefused

Schema = dict[str, Any]
"""A JSON Schema whose root is an object, in the subset that `docsieve.domain.schemas` knows."""

Finish = Literal["stop", "length", "refusal", "other"]


@dataclass(frozen=True, slots=True)
class Image:
    """A picture that goes with the question; PNG, JPEG and WebP are understood everywhere."""

    media_type: str
    data: bytes = field(repr=False)


@dataclass(frozen=True, slots=True)
class FileUri:
    """A file that already lies in the provider's own store, such as `gs://bucket/name`."""

    uri: str
    media_type: str


@dataclass(frozen=True, slots=True)
class Question:
    """`system` instructs, `user` asks and holds the data. Without a schema the answer is free text."""

    system: str = field(repr=False)
    user: str = field(repr=False)
    schema: Schema | None = None
    images: Sequence[Image] = ()
    files: Sequence[FileUri] = ()
    max_output_tokens: int = 8192
    temperature: float = 0.0


@dataclass(frozen=True, slots=True)
class Answer:
    """`json` is what `text` holds, and None where no schema was given; `model` is the one that says it answered.

    Input tokens include those that were read from the provider's cache.
    """

    json: Any = field(repr=False)
    text: str = field(repr=False)
    input_tokens: int
    output_tokens: int
    cached_input_tokens: int
    model: str
    finish: Finish


class ChatModel(Protocol):
    """`name` is `provider:model`; it is stored beside what came of the answer."""

    provider: str
    model: str
    name: str
    takes_images: bool
    takes_files: bool

    async def ask(self, question: Question) -> Answer:
        """One answer to one question, asked once: whoever asks decides whether to ask again.

        The shape is the provider's promise, so the caller still checks what it uses. Raises ProviderBusy when the
        provider asks us to wait, ProviderRefused when asking again would not help, AnswerMalformed for an answer
        that is no JSON, and ProviderError for the rest.
        """
        ...

    async def close(self) -> None: ...


def check_takes(model: ChatModel, question: Question) -> None:
    """Raises ProviderRefused where the question holds what the model cannot be shown; leaving it out would mislead."""
    if question.images and not model.takes_images:
        raise ProviderRefused(f"The language model {model.name} takes no images.")
    if question.files and not model.takes_files:
        raise ProviderRefused(f"The language model {model.name} takes no files by their address.")


class AnswerMalformed(ProviderError):
    """The language model's answer is not the JSON that was asked for."""

    code = "answer_unreadable"

    def __init__(self, detail: str, answer: Answer) -> None:
        super().__init__(detail)
        self.answer = answer

    @property
    def text(self) -> str:
        return self.answer.text


class AnswerRefused(ProviderRefused):
    """The language model declined to answer."""

    code = "answer_refused"

    def __init__(self, detail: str, answer: Answer) -> None:
        super().__init__(detail)
        self.answer = answer
