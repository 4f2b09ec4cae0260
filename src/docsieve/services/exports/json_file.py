"""Extractions as JSON: one array, or one object per line."""

from collections.abc import Iterator, Sequence

from docsieve.services.exports.rows import Exported, as_json
from docsieve.tables.cells import json_text


class JsonFile:
    """Both are written while they are sent. An array that is cut off is not valid JSON."""

    def __init__(self, *, array: bool, evidence: bool) -> None:
        self._opening, self._between, self._closing = ("[\n", ",\n", "\n]\n") if array else ("", "\n", "\n")
        self._evidence = evidence
        self._empty = True

    def write(self, rows: Sequence[Exported]) -> bytes:
        texts = [json_text(as_json(each, evidence=self._evidence)) for each in rows]
        before = self._opening if self._empty else self._between
        self._empty = self._empty and not texts
        return (before + self._between.join(texts)).encode(errors="replace") if texts else b""

    def finish(self) -> Iterator[bytes]:
        if not self._empty:
            yield self._closing.encode()
        elif self._opening:
            yield b"[]\n"

    def close(self) -> None:
        """Nothing is held."""
