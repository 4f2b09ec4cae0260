"""Google's Gemini through its SDK; files that lie in Google's store go by their URI."""

from typing import TYPE_CHECKING, Any

from docsieve.llm.answers import count, reach, read_answer
from docsieve.llm.dialects import GEMINI, OPEN, translated
from docsieve.llm.modes import Mode, instructions
from docsieve.llm.port import Answer, Finish, Question
from docsieve.llm.vendors.sdk import SdkModel

if TYPE_CHECKING:
    from httpx2 import AsyncClient

_REFUSALS = frozenset({"SAFETY", "RECITATION", "LANGUAGE", "BLOCKLIST", "PROHIBITED_CONTENT", "SPII", "IMAGE_SAFETY"})


class GeminiModel(SdkModel):
    provider = "gemini"
    loggers = ("google_genai",)
    file_types = frozenset(
        {
            *("application/pdf", "text/plain", "text/html", "text/csv", "text/xml", "text/markdown"),
            *("image/png", "image/jpeg", "image/webp", "image/heic", "image/heif"),
        }
    )

    def _connect(self, http: "AsyncClient") -> Any:
        import httpx2
        from google.genai import Client
        from google.genai.types import HttpOptions

        # Every option is set here, because the SDK takes others from the environment.
        options = HttpOptions(
            base_url=self._url,
            api_version="v1beta",
            timeout=int(self._seconds * 1000),
            httpx_client=httpx2.Client(trust_env=False),
            httpx_async_client=http,
        )
        return Client(api_key=self._key.get_secret_value(), vertexai=False, http_options=options)

    def _request(self, question: Question, mode: Mode) -> dict[str, Any]:
        in_words = None if question.schema is None or mode == "schema" else translated(question.schema, OPEN)
        config: dict[str, Any] = {
            "system_instruction": instructions(question, in_words) or None,
            "max_output_tokens": question.max_output_tokens,
            "temperature": question.temperature,
            "candidate_count": 1,
            "automatic_function_calling": {"disable": True},
        }
        if question.schema is not None:
            config["response_mime_type"] = "application/json"
        if question.schema is not None and mode == "schema":
            config["response_json_schema"] = translated(question.schema, GEMINI)
        return {"model": self.model, "contents": _contents(question), "config": config}

    async def _send(self, client: Any, request: dict[str, Any]) -> Any:
        import httpx2
        from google.genai.errors import APIError

        try:
            return await client.aio.models.generate_content(**request)
        except APIError as error:
            raise self._unreached(error) if error.response is None else self._failure(error.response) from None
        except (httpx2.HTTPError, httpx2.InvalidURL) as error:
            raise self._unreached(error) from None

    def _read(self, answered: Any, question: Question) -> Answer:
        usage = reach(answered, "usage_metadata")
        parts = reach(answered, "candidates", 0, "content", "parts")
        said = [reach(each, "text") for each in parts if not reach(each, "thought")] if isinstance(parts, list) else []
        return read_answer(
            question,
            text="".join(each for each in said if isinstance(each, str)),
            finish=_finish(answered),
            input_tokens=count(usage, "prompt_token_count"),
            output_tokens=count(usage, "candidates_token_count") + count(usage, "thoughts_token_count"),
            cached_input_tokens=count(usage, "cached_content_token_count"),
            model=reach(answered, "model_version"),
        )


def _contents(question: Question) -> list[dict[str, Any]]:
    parts: list[dict[str, Any]] = [
        *({"file_data": {"file_uri": each.uri, "mime_type": each.media_type}} for each in question.files),
        *({"inline_data": {"data": each.data, "mime_type": each.media_type}} for each in question.images),
        {"text": question.user},
    ]
    return [{"role": "user", "parts": parts}]


def _finish(answered: Any) -> Finish:
    if reach(answered, "prompt_feedback", "block_reason"):
        return "refusal"
    reason = reach(answered, "candidates", 0, "finish_reason")
    said = getattr(reason, "value", reason)
    if said in _REFUSALS:
        return "refusal"
    return "stop" if said == "STOP" else "length" if said == "MAX_TOKENS" else "other"
