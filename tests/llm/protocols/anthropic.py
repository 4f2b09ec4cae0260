"""Anthropic's messages, with structured output."""

from base64 import b64decode
from typing import Any

from pydantic import SecretStr

from docsieve.llm.port import ChatModel
from docsieve.llm.vendors.anthropic import AnthropicModel
from tests.llm.loopback import KEY, MODEL, Heard, Protocol, Request, Said


class Anthropic(Protocol):
    name = "anthropic"
    key_header = "authorization"
    key_value = f"Bearer {KEY}"

    def open(self, url: str, **options: Any) -> ChatModel:
        return AnthropicModel(MODEL, SecretStr(KEY), url, **options)

    def heard(self, request: Request) -> Heard:
        assert request.path == "/v1/messages"
        assert request.headers["anthropic-version"] in ("2023-06-01", "2026-10-21")
        assert not {"temperature", "tools", "tool_choice"} & set(request.body)
        [message] = request.body["messages"]
        assert message["role"] == "user"
        form = request.body.get("output_config", {}).get("format", {"type": "json_schema", "schema": None})
        assert form["type"] == "json_schema"
        return Heard(
            model=request.body["model"],
            system=request.body.get("system", ""),
            user="".join(part["text"] for part in message["content"] if part["type"] == "text"),
            schema=form["schema"],
            most_tokens=request.body["max_tokens"],
            images=[_image(part["source"]) for part in message["content"] if part["type"] == "image"],
        )

    def said(self, said: Said) -> Any:
        """What was thought stands before what is said; cached tokens are told beside the others."""
        reason = {"stop": "end_turn", "length": "max_tokens"}.get(said.finish, "refusal")
        said_blocks = [] if reason == "refusal" else [{"type": "text", "text": said.text, "citations": None}]
        return {
            "id": "msg_1",
            "type": "message",
            "role": "assistant",
            "model": f"{MODEL}-20260101",
            "content": [{"type": "thinking", "thinking": "", "signature": "c2ln"}, *said_blocks],
            "stop_reason": reason,
            "stop_sequence": None,
            "usage": {
                "input_tokens": 70,
                "cache_creation_input_tokens": 10,
                "cache_read_input_tokens": 40,
                "output_tokens": 30,
            },
        }

    def problem(self, status: int, code: str, message: str) -> Any:
        return {"type": "error", "error": {"type": code, "message": message}, "request_id": "req_1"}


def _image(source: dict[str, str]) -> tuple[str, bytes]:
    assert source["type"] == "base64"
    return source["media_type"], b64decode(source["data"])
