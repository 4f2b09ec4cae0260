"""OpenAI's chat completions, and those of Azure and compatible servers, which differ in path, key and words."""

from base64 import b64decode
from typing import Any

from pydantic import SecretStr

from docsieve.llm.port import ChatModel
from docsieve.llm.vendors.azure_openai import API_VERSION, AzureOpenAIModel
from docsieve.llm.vendors.openai import OpenAIModel
from docsieve.llm.vendors.openai_compatible import OpenAICompatibleModel
from tests.llm.loopback import KEY, MODEL, Heard, Protocol, Request, Said


class OpenAI(Protocol):
    name = "openai"
    key_header = "authorization"
    key_value = f"Bearer {KEY}"
    path = "/v1/chat/completions"
    limit = "max_completion_tokens"

    def open(self, url: str, **options: Any) -> ChatModel:
        return OpenAIModel(MODEL, SecretStr(KEY), f"{url}/v1", **options)

    def heard(self, request: Request) -> Heard:
        assert request.path == self.path
        system, user = request.body["messages"]
        assert (system["role"], user["role"]) == ("system", "user")
        content = user["content"]
        parts = [{"type": "text", "text": content}] if isinstance(content, str) else content
        return Heard(
            model=request.body["model"],
            system=system["content"],
            user="".join(part["text"] for part in parts if part["type"] == "text"),
            schema=self._schema(request.body.get("response_format", {"type": "text"})),
            most_tokens=request.body[self.limit],
            images=[self._image(part) for part in parts if part["type"] == "image_url"],
        )

    def said(self, said: Said) -> Any:
        refused = said.finish == "refusal"
        message = {
            "role": "assistant",
            "content": None if refused else said.text,
            "refusal": "I cannot help with that." if refused else None,
        }
        reason = {"refusal": "stop", "filter": "content_filter"}.get(said.finish, said.finish)
        return {
            "id": "chatcmpl-1",
            "object": "chat.completion",
            "created": 1790000000,
            "model": f"{MODEL}-2026-01-01",
            "choices": [{"index": 0, "message": message, "logprobs": None, "finish_reason": reason}],
            "usage": {
                "prompt_tokens": 120,
                "completion_tokens": 30,
                "total_tokens": 150,
                "prompt_tokens_details": {"cached_tokens": 40, "audio_tokens": 0},
            },
        }

    def problem(self, status: int, code: str, message: str) -> Any:
        return {"error": {"message": message, "type": "error", "param": None, "code": code}}

    def _schema(self, form: dict[str, Any]) -> Any:
        if form["type"] != "json_schema":
            assert form["type"] in ("json_object", "text")
            return None
        assert form["json_schema"]["name"]
        assert form["json_schema"]["strict"] is True
        return form["json_schema"]["schema"]

    def _image(self, part: dict[str, Any]) -> tuple[str, bytes]:
        return data_url(part["image_url"]["url"])


class Azure(OpenAI):
    name = "azure"
    key_header = "api-key"
    key_value = KEY
    path = f"/openai/deployments/{MODEL}/chat/completions?api-version={API_VERSION}"

    def open(self, url: str, **options: Any) -> ChatModel:
        return AzureOpenAIModel(MODEL, SecretStr(KEY), url, **options)


class Compatible(OpenAI):
    name = "compatible"
    limit = "max_tokens"

    def open(self, url: str, **options: Any) -> ChatModel:
        return OpenAICompatibleModel(f"{url}/v1", SecretStr(KEY), MODEL, **options)


def data_url(url: str) -> tuple[str, bytes]:
    head, data = url.removeprefix("data:").split(",")
    media_type, encoding = head.split(";")
    assert encoding == "base64"
    return media_type, b64decode(data)
