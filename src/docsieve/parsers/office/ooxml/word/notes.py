"""Footnotes and endnotes, numbered in the order in which the text refers to them."""

from docsieve.parsers.office.list_numbers import roman


class Notes:
    def __init__(self) -> None:
        self._marks: dict[str, dict[str, str]] = {"footnote": {}, "endnote": {}}

    def mark(self, kind: str, note_id: str) -> str:
        marks = self._marks[kind]
        if note_id not in marks:
            count = len(marks) + 1
            marks[note_id] = f"[{count if kind == 'footnote' or count >= 4000 else roman(count)}]"
        return marks[note_id]

    def marks(self, kind: str) -> list[tuple[str, str]]:
        return list(self._marks[kind].items())
