"""Mistral's chat completions."""

from typing import Any

from pydantic import SecretStr

from docsieve.llm.port import ChatModel
from docsieve.llm.vendors.mistral import MistralModel
from tests.llm.loopback import KEY, MODEL, Said
from tests.llm.protocols.openai import OpenAI


class Mistral(OpenAI):
    name = "mistral"
    limit = "max_tokens"

    def open(self, url: str, **options: Any) -> ChatModel:
        return MistralModel(MODEL, SecretStr(KEY), url, **options)

    def said(self, said: Said) -> Any:
        """There is no refusal of the model's own; a filter says so by the reason, as it does elsewhere."""
        answer = super().said(said)
        message = answer["choices"][0]["message"]
        del message["refusal"], answer["choices"][0]["logprobs"]
        if said.finish == "refusal":
            message["content"] = ""
            answer["choices"][0]["finish_reason"] = "content_filter"
        return answer

    def problem(self, status: int, code: str, message: str) -> Any:
        return {"object": "error", "message": message, "type": "error", "param": None, "code": code}
