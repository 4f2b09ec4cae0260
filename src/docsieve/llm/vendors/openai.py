"""OpenAI's models through its SDK."""

from typing import TYPE_CHECKING, Any

from docsieve.llm.modes import Mode
from docsieve.llm.port import Answer, Question
from docsieve.llm.vendors.chat_completions import messages, read_completion, response_format
from docsieve.llm.vendors.http_client import timeout
from docsieve.llm.vendors.sdk import SdkModel

if TYPE_CHECKING:
    from httpx2 import AsyncClient


class OpenAIModel(SdkModel):
    provider = "openai"
    loggers = ("openai",)
    _takes_temperature = True

    def _connect(self, http: "AsyncClient") -> Any:
        import openai

        client = openai.AsyncOpenAI(
            api_key=self._key.get_secret_value(),
            base_url=self._url,
            max_retries=0,
            timeout=timeout(self._seconds),
            http_client=http,
        )
        client.organization = client.project = None  # the SDK takes them from the environment
        return client

    def _request(self, question: Question, mode: Mode) -> dict[str, Any]:
        request: dict[str, Any] = {
            "model": self.model,
            "messages": messages(question, mode),
            "max_completion_tokens": question.max_output_tokens,
        }
        if self._takes_temperature:
            request["temperature"] = question.temperature
        if question.schema is not None and mode != "prompt":
            request["response_format"] = response_format(question.schema, mode)
        return request

    async def _send(self, client: Any, request: dict[str, Any]) -> Any:
        import openai

        try:
            return await client.chat.completions.create(**request)
        except openai.APIStatusError as error:
            if error.status_code != 400 or "temperature" not in request or b"temperature" not in error.response.content:
                raise self._failure(error.response) from None
        except openai.OpenAIError as error:
            raise self._unreached(error) from None
        # Models that reason refuse a temperature.
        self._takes_temperature = False
        return await self._send(client, {name: each for name, each in request.items() if name != "temperature"})

    def _read(self, answered: Any, question: Question) -> Answer:
        return read_completion(answered, question)
