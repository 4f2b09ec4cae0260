"""Where a recipe works with sandboxed children: a folder for what goes to them and what comes back."""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pydantic_core import to_json

from docsieve.domain.pages import Progress
from docsieve.errors import OutputTooLarge
from docsieve.sandbox.pool import Sandbox

OnProgress = Callable[[Progress], None]

_MOST_ANSWER_BYTES = 256 * 1024**2


@dataclass(frozen=True, slots=True)
class SourceDocument:
    """`pages` is its page file; `id` is what its evidence will name."""

    id: str
    pages: Path
    language: str | None = None
    document_class: str | None = None

    def argument(self) -> dict[str, Any]:
        return {"id": self.id, "pages": str(self.pages), "language": self.language, "class": self.document_class}


@dataclass(slots=True)
class Bench:
    sandbox: Sandbox
    folder: Path
    on_progress: OnProgress | None = None
    _rounds: int = field(default=0)

    async def run(
        self,
        task: str,
        documents: Sequence[SourceDocument],
        request: Mapping[str, Any],
        *,
        sources: Sequence[Path] = (),
    ) -> tuple[bytes, dict[str, Any]]:
        """What the task wrote and what it said. Each round has files of its own. Raises as `Sandbox.run` does.

        `sources`, one for each document, are files that go with them.
        """
        self._rounds += 1
        asked, answered = self.folder / f"asked-{self._rounds}", self.folder / f"answered-{self._rounds}"
        await asyncio.to_thread(lambda: asked.write_bytes(to_json(request)))
        arguments = {
            "documents": [each.argument() for each in documents],
            "request": str(asked),
            "output": str(answered),
            "sources": [{"source": str(each)} for each in sources],
        }
        said = await self.sandbox.run(task, arguments, on_progress=self.on_progress)
        return await asyncio.to_thread(_bounded, answered), said

    def report(self, progress: Progress) -> None:
        if self.on_progress is not None:
            self.on_progress(progress)


def _bounded(path: Path) -> bytes:
    with path.open("rb") as file:
        answer = file.read(_MOST_ANSWER_BYTES + 1)
    if len(answer) > _MOST_ANSWER_BYTES:
        raise OutputTooLarge(f"The engine answered more than {_MOST_ANSWER_BYTES} bytes.")
    return answer
