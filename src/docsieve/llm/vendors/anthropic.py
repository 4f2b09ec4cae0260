"""Anthropic's models through its SDK.

The schema goes as structured output. Forcing a tool is the older way, which newer models refuse, as they do a
temperature. A schema with many fields can be too much for structured output; then the instructions hold it.
"""

from base64 import b64encode
from typing import TYPE_CHECKING, Any

from docsieve.llm.answers import count, reach, read_answer
from docsieve.llm.dialects import ANTHROPIC, OPEN, translated
from docsieve.llm.modes import Mode, instructions
from docsieve.llm.port import Answer, Finish, Image, Question
from docsieve.llm.vendors.http_client import timeout
from docsieve.llm.vendors.sdk import SdkModel

if TYPE_CHECKING:
    from httpx2 import AsyncClient

_FINISHES: dict[Any, Finish] = {
    "end_turn": "stop",
    "stop_sequence": "stop",
    "max_tokens": "length",
    "model_context_window_exceeded": "length",
    "refusal": "refusal",
}


class AnthropicModel(SdkModel):
    provider = "anthropic"
    loggers = ("anthropic",)
    modes = ("schema", "prompt")

    def _connect(self, http: "AsyncClient") -> Any:
        import anthropic

        return anthropic.AsyncAnthropic(
            api_key=self._key.get_secret_value(),
            base_url=self._url,
            max_retries=0,
            timeout=timeout(self._seconds),
            http_client=http,
            open_telemetry=False,
        )

    def _request(self, question: Question, mode: Mode) -> dict[str, Any]:
        in_words = None if question.schema is None or mode == "schema" else translated(question.schema, OPEN)
        content = [*(_picture(each) for each in question.images), {"type": "text", "text": question.user}]
        request: dict[str, Any] = {
            "model": self.model,
            "messages": [{"role": "user", "content": content}],
            "max_tokens": question.max_output_tokens,
        }
        if system := instructions(question, in_words):
            request["system"] = system
        if question.schema is not None and mode == "schema":
            form = {"type": "json_schema", "schema": translated(question.schema, ANTHROPIC)}
            request["output_config"] = {"format": form}
        return request

    async def _send(self, client: Any, request: dict[str, Any]) -> Any:
        import anthropic

        try:
            return await client.messages.create(**request)
        except anthropic.APIStatusError as error:
            raise self._failure(error.response) from None
        except anthropic.AnthropicError as error:
            raise self._unreached(error) from None

    def _read(self, answered: Any, question: Question) -> Answer:
        blocks, reason = reach(answered, "content"), reach(answered, "stop_reason")
        texts = (
            [reach(each, "text") for each in blocks if reach(each, "type") == "text"]
            if isinstance(blocks, list)
            else []
        )
        read, made = (count(answered, "usage", f"cache_{kind}_input_tokens") for kind in ("read", "creation"))
        return read_answer(
            question,
            text="".join(each for each in texts if isinstance(each, str)),
            finish=_FINISHES.get(reason, "other") if isinstance(reason, str) else "other",
            input_tokens=count(answered, "usage", "input_tokens") + read + made,
            output_tokens=count(answered, "usage", "output_tokens"),
            cached_input_tokens=read,
            model=reach(answered, "model"),
        )


def _picture(image: Image) -> dict[str, Any]:
    data = b64encode(image.data).decode()
    return {"type": "image", "source": {"type": "base64", "media_type": image.media_type, "data": data}}
