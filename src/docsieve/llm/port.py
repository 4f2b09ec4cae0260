"""What a chat model does; every adapter passes `tests/llm/test_contract.py`."""

from typing import Any, Protocol

Schema = dict[str, Any]
"""A JSON Schema whose root is an object."""


class ChatModel(Protocol):
    """`name` says which provider and model answered; it is stored beside what came of the answer."""

    name: str

    async def answer_json(self, system: str, user: str, schema: Schema) -> dict[str, Any]:
        """The model's answer to `user` under the instructions `system`, as an object that was asked to follow `schema`.

        The shape is the provider's promise, so the caller still checks what it uses. Raises ProviderBusy when the
        provider asks us to wait, ProviderRefused when asking again would not help, and ProviderError for the rest.
        """
        ...

    async def close(self) -> None: ...
