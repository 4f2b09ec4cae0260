"""A language model on loopback for a running service: it counts what it is asked and may be held up."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from threading import Condition, Event
from typing import Any

from tests.provider_server import KEY, ProviderServer, serving


@dataclass
class AskedModel:
    """`questions` are those about fields; what a classifier asks is answered and not counted."""

    server: ProviderServer
    answer: Any = None
    questions: list[dict[str, Any]] = field(default_factory=list)
    may_answer: Event = field(default_factory=Event)
    _asked: Condition = field(default_factory=Condition)

    def respond(self, body: dict[str, Any]) -> Any:
        wanted = body["response_format"]["json_schema"]["schema"]["properties"]
        if wanted.keys() == {"class", "confidence"}:
            return {"class": "other", "confidence": 0.5}
        with self._asked:
            self.questions.append(body)
            self._asked.notify_all()
        self.may_answer.wait(60)
        return self.answer(body) if callable(self.answer) else self.answer

    def until_asked(self, times: int, *, seconds: float = 60) -> None:
        with self._asked:
            assert self._asked.wait_for(lambda: len(self.questions) >= times, seconds), "the model was not asked"

    @property
    def settings(self) -> dict[str, str]:
        return {
            "DOCSIEVE_LLM": "compatible:tiny",
            "DOCSIEVE_PROVIDER_URLS": f"compatible={self.server.url}",
            "DOCSIEVE_PROVIDER_KEYS": f"compatible={KEY}",
        }


@contextmanager
def asked_model(answer: Any) -> Iterator[AskedModel]:
    with serving() as server:
        model = AskedModel(server, answer)
        model.may_answer.set()
        server.answer = model.respond
        try:
            yield model
        finally:
            model.may_answer.set()


def said_to(body: dict[str, Any]) -> str:
    """Everything that a request put before the model."""
    return json.dumps(body["messages"], ensure_ascii=False)
