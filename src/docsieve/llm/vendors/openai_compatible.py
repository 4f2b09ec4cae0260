"""Chat models of any server that speaks OpenAI's protocol (vLLM, Ollama, llama.cpp, LiteLLM …), by plain HTTP."""

from typing import Any

from pydantic import SecretStr

from docsieve.llm.dialects import GRAMMAR, translated
from docsieve.llm.modes import Mode, Modes
from docsieve.llm.port import Answer, ChatModel, Question, check_takes
from docsieve.llm.vendors.chat_completions import messages, read_completion
from docsieve.providers.http import TOTAL_SECONDS, Provider

_ANSWER_BYTES = 4 * 1024**2


class OpenAICompatibleModel(ChatModel):
    takes_images = True
    file_types = frozenset[str]()

    def __init__(
        self,
        base_url: str,
        key: SecretStr | None,
        model: str,
        *,
        provider: str = "compatible",
        seconds: float = TOTAL_SECONDS,
    ) -> None:
        self.provider = provider
        self.model = model
        self.name = f"{provider}:{model}"
        self._server = Provider(f"The language model {self.name}", base_url, key, seconds=seconds)
        self._modes = Modes(("schema", "json", "prompt"))

    async def ask(self, question: Question) -> Answer:
        check_takes(self, question)
        return read_completion(await self._modes.asked(question, lambda mode: self._sent(question, mode)), question)

    async def close(self) -> None:
        await self._server.close()

    async def _sent(self, question: Question, mode: Mode) -> dict[str, Any]:
        body: dict[str, Any] = {
            "model": self.model,
            "messages": messages(question, mode),
            # OpenAI's newer models refuse the old word, older servers do not know the new one.
            "max_completion_tokens" if self.provider == "openai" else "max_tokens": question.max_output_tokens,
            "temperature": question.temperature,
        }
        if question.schema is not None and mode == "json":
            body["response_format"] = {"type": "json_object"}
        if question.schema is not None and mode == "schema":
            form = {"name": "answer", "schema": translated(question.schema, GRAMMAR), "strict": True}
            body["response_format"] = {"type": "json_schema", "json_schema": form}
        return await self._server.post("/chat/completions", body, max_bytes=_ANSWER_BYTES, attempts=1)
