"""Turns the words of a match into evidence, one entry per line."""

from docsieve.analysis.proof.grounding.matches import Match
from docsieve.analysis.proof.grounding.words import WordIndex
from docsieve.domain.extraction import Evidence
from docsieve.domain.pages.page import Box


def evidence_of(index: WordIndex, match: Match) -> list[Evidence]:
    lines: dict[int, list[tuple[str, Box]]] = {}
    for place, number in enumerate(match.words):
        word = index.words[number]
        start = match.start if place == 0 else 0
        end = match.end if match.end is not None and place == len(match.words) - 1 else len(word.text)
        lines.setdefault(word.line, []).append(_part(word.text, word.box, start, end))
    page_index = index.words[match.words[0]].page
    material, page = index.pages[page_index]
    return [
        Evidence(material.document_id, page.number, page.width, page.height, _around(parts), _joined(parts))
        for parts in lines.values()
    ]


def reading_confidence(index: WordIndex, match: Match) -> float | None:
    """The mean OCR confidence of the words; None if they are the document's own text."""
    known = [confidence for each in match.words if (confidence := index.words[each].confidence) is not None]
    return sum(known) / len(known) if known else None


def _part(text: str, box: Box, start: int, end: int) -> tuple[str, Box]:
    """A piece of a word, assuming characters of equal width."""
    if start == 0 and end >= len(text):
        return text, box
    x0, y0, x1, y1 = box
    width = (x1 - x0) / max(len(text), 1)
    return text[start:end], (x0 + start * width, y0, x0 + max(end, start + 1) * width, y1)


def _around(parts: list[tuple[str, Box]]) -> Box:
    boxes = [box for _, box in parts]
    return min(b[0] for b in boxes), min(b[1] for b in boxes), max(b[2] for b in boxes), max(b[3] for b in boxes)


def _joined(parts: list[tuple[str, Box]]) -> str:
    return " ".join(text for text, _ in parts)
