"""Gemini's generateContent."""

from base64 import b64decode, urlsafe_b64decode
from typing import Any

from pydantic import SecretStr

from docsieve.llm.port import ChatModel
from docsieve.llm.vendors.gemini import GeminiModel
from tests.llm.loopback import KEY, MODEL, Heard, Protocol, Request, Said


class Gemini(Protocol):
    name = "gemini"
    key_header = "x-goog-api-key"

    def open(self, url: str, **options: Any) -> ChatModel:
        return GeminiModel(MODEL, SecretStr(KEY), url, **options)

    def heard(self, request: Request) -> Heard:
        before, _, after = request.path.partition(MODEL)
        assert (before, after) == ("/v1beta/models/", ":generateContent")
        [content] = request.body["contents"]
        config = request.body["generationConfig"]
        system = request.body.get("systemInstruction", {"parts": []})
        if "responseJsonSchema" in config:
            assert config["responseMimeType"] == "application/json"
        files = [_camel(part["fileData"]) for part in content["parts"] if "fileData" in part]
        images = [_camel(part["inlineData"]) for part in content["parts"] if "inlineData" in part]
        return Heard(
            model=MODEL,
            system="".join(part["text"] for part in system["parts"]),
            user="".join(part.get("text", "") for part in content["parts"]),
            schema=config.get("responseJsonSchema"),
            most_tokens=config["maxOutputTokens"],
            images=[(each["mimeType"], _bytes(each["data"])) for each in images],
            files=[(each["fileUri"], each["mimeType"]) for each in files],
        )

    def said(self, said: Said) -> Any:
        """What was thought is marked so and counted apart. A filter may stop the question before it is a candidate."""
        usage = {
            "promptTokenCount": 120,
            "cachedContentTokenCount": 40,
            "candidatesTokenCount": 20,
            "thoughtsTokenCount": 10,
            "totalTokenCount": 150,
        }
        answer: dict[str, Any] = {"usageMetadata": usage, "modelVersion": f"{MODEL}-001", "responseId": "r1"}
        if said.finish == "filter":
            return {**answer, "promptFeedback": {"blockReason": "SAFETY"}}
        reason = {"stop": "STOP", "length": "MAX_TOKENS"}.get(said.finish, "PROHIBITED_CONTENT")
        parts = [] if said.finish == "refusal" else [{"text": "Let me see.", "thought": True}, {"text": said.text}]
        candidate = {"content": {"role": "model", "parts": parts}, "finishReason": reason, "index": 0}
        return {**answer, "candidates": [candidate]}

    def problem(self, status: int, code: str, message: str) -> Any:
        return {"error": {"code": status, "message": message, "status": code.upper()}}


def _camel(part: dict[str, str]) -> dict[str, str]:
    """JSON of protocol buffers may also spell a name as it stands in the definition; the SDK does so in here."""
    return {{"mime_type": "mimeType", "file_uri": "fileUri"}.get(name, name): value for name, value in part.items()}


def _bytes(data: str) -> bytes:
    return urlsafe_b64decode(data) if set(data) & set("-_") else b64decode(data)
