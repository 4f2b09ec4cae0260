"""What a chat model does; every adapter passes `tests/llm/test_contract.py`.

It fails with the errors of `docsieve.errors.providers`. Two of them, AnswerUnreadable and AnswerRefused, are about an
answer that arrived and was paid for; they carry it.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

from docsieve.errors.providers import ProviderRefused

Schema = dict[str, Any]
"""A JSON Schema whose root is an object, in the subset that `docsieve.domain.schemas` supports."""

Finish = Literal["stop", "length", "refusal", "other"]


@dataclass(frozen=True, slots=True)
class Image:
    """An image sent with the question; every provider accepts PNG, JPEG and WebP."""

    media_type: str
    data: bytes = field(repr=False)


@dataclass(frozen=True, slots=True)
class FileUri:
    """A file in the provider's own storage, such as `gs://bucket/name`."""

    uri: str
    media_type: str


@dataclass(frozen=True, slots=True)
class Question:
    """`system` has the instructions, `user` the request and the data. Without a schema the answer is free text."""

    system: str = field(repr=False)
    user: str = field(repr=False)
    schema: Schema | None = None
    images: Sequence[Image] = ()
    files: Sequence[FileUri] = ()
    max_output_tokens: int = 8192
    temperature: float = 0.0


@dataclass(frozen=True, slots=True)
class Answer:
    """`json` is the parsed `text`, or None if no schema was given; `model` is the model that the provider reports.

    Input tokens include those read from the provider's cache.
    """

    json: Any = field(repr=False)
    text: str = field(repr=False)
    input_tokens: int
    output_tokens: int
    cached_input_tokens: int
    model: str
    finish: Finish


class ChatModel(Protocol):
    """`name` is `provider:model`; it is stored with the result. `file_types` are the media types of files that it reads
    from its provider's own storage."""

    provider: str
    model: str
    name: str
    takes_images: bool
    file_types: frozenset[str]

    async def ask(self, question: Question) -> Answer:
        """Ask once; the caller decides whether to retry.

        The shape of the answer is only the provider's promise, so the caller still validates it. Raises ProviderBusy
        when the provider asks us to wait, ProviderRefused when a retry would not help, AnswerRefused when the model
        declined, AnswerUnreadable for an answer that is not JSON, and ProviderError for other failures.
        """
        ...

    async def close(self) -> None: ...


def check_takes(model: ChatModel, question: Question) -> None:
    """Raises ProviderRefused if the question contains something the model cannot take; dropping it would mislead."""
    if question.images and not model.takes_images:
        raise ProviderRefused(f"The language model {model.name} does not accept images.")
    for file in question.files:
        if file.media_type not in model.file_types:
            raise ProviderRefused(f"The language model {model.name} does not accept URIs of {file.media_type} files.")
