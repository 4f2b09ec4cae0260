"""Chat models of OpenAI or any server that speaks its protocol (vLLM, Ollama, llama.cpp, LiteLLM …)."""

import json
from typing import Any

from pydantic import SecretStr

from docsieve.llm.port import ChatModel, Schema
from docsieve.providers import Provider, ProviderError, ProviderRefused

_ANSWER_BYTES = 4 * 1024**2


class OpenAICompatibleModel(ChatModel):
    def __init__(self, base_url: str, key: SecretStr | None, model: str) -> None:
        self.name = f"openai:{model}"
        self._model = model
        self._provider = Provider("The language model", base_url, key)

    async def answer_json(self, system: str, user: str, schema: Schema) -> dict[str, Any]:
        body = {
            "model": self._model,
            "messages": [{"role": "system", "content": system}, {"role": "user", "content": user}],
            "response_format": {
                "type": "json_schema",
                "json_schema": {"name": "answer", "schema": schema, "strict": True},
            },
        }
        return _answer(await self._provider.post("/chat/completions", body, most_bytes=_ANSWER_BYTES))

    async def close(self) -> None:
        await self._provider.close()


def _answer(completion: dict[str, Any]) -> dict[str, Any]:
    try:
        choice = completion["choices"][0]
        message = choice["message"]
        refused, content = message.get("refusal"), message.get("content")
        reason = choice.get("finish_reason")
    except (KeyError, IndexError, TypeError, AttributeError):
        raise ProviderError("The language model did not answer with a message.") from None
    if refused or reason == "content_filter":
        raise ProviderRefused("The language model declined to answer.")
    if reason == "length":
        raise ProviderRefused("The language model's answer did not fit its limit.")
    try:
        answer = json.loads(content)
    except (TypeError, ValueError, RecursionError):
        raise ProviderError("The language model did not answer with JSON.") from None
    if not isinstance(answer, dict):
        raise ProviderError("The language model did not answer with a JSON object.")
    return answer
