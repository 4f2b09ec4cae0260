"""Mistral's models through its SDK."""

import logging
from typing import TYPE_CHECKING, Any

from docsieve.llm.modes import Mode
from docsieve.llm.port import Answer, Question
from docsieve.llm.vendors.chat_completions import messages, read_completion, response_format
from docsieve.llm.vendors.sdk import SdkModel

if TYPE_CHECKING:
    from httpx2 import AsyncClient


class MistralModel(SdkModel):
    provider = "mistral"
    loggers = ("mistralai", "docsieve.silent")

    def _connect(self, http: "AsyncClient") -> Any:
        from mistralai.client import Mistral

        return Mistral(
            api_key=self._key.get_secret_value(),
            server_url=self._url,
            async_client=http,
            retry_config=None,
            debug_logger=logging.getLogger("docsieve.silent"),
        )

    def _request(self, question: Question, mode: Mode) -> dict[str, Any]:
        request: dict[str, Any] = {
            "model": self.model,
            "messages": messages(question, mode),
            "max_tokens": question.max_output_tokens,
            "temperature": question.temperature,
        }
        if question.schema is not None and mode != "prompt":
            request["response_format"] = response_format(question.schema, mode)
        return request

    async def _send(self, client: Any, request: dict[str, Any]) -> Any:
        import httpx2
        from mistralai.client import errors

        try:
            return await client.chat.complete_async(**request)
        except errors.MistralError as error:
            raise self._failure(error.raw_response) from None
        except (errors.NoResponseError, httpx2.HTTPError, httpx2.InvalidURL) as error:
            raise self._unreached(error) from None

    def _read(self, answered: Any, question: Question) -> Answer:
        return read_completion(answered, question)
