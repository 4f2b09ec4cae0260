"""Typed values in sentences, with the words around them."""

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from docsieve.engines.local.fields.spans import Spans
from docsieve.engines.local.prose.names import name_at
from docsieve.engines.local.prose.text import RunningText, Sentence
from docsieve.engines.local.prose.topics import GOVERNS, Kind
from docsieve.engines.local.vocabulary.canon import canonical
from docsieve.engines.local.vocabulary.labels import beginnings
from docsieve.values.amounts import find_amounts
from docsieve.values.dates import find_dates
from docsieve.values.durations import Duration, find_durations
from docsieve.values.names import company_clue
from docsieve.values.numbers import spelled_number
from docsieve.values.percentages import find_percentages

_QUOTED = re.compile(r"[“\"„«]\s?([^“”\"„«»]{3,80}?)\s?[”\"“»]")
_CAPITALIZED = re.compile(r"(?<![^\s(“\"„«])[A-ZÀ-Ý]")
_YEAR = re.compile(r"(?:19|20)\d\d")
_MAX_SPANS = 400
_BEFORE = 120
_AFTER = 120
_LAW = re.compile(
    r"\b(?:(?:laws?|statutes)(?:\s(?:and|or)\s\w+)?\s(?:of|in),?\s(?:the\s)?(?:(?:State|Commonwealth|Province)\sof\s)?"
    r"|(?:Recht|Gesetze)\s(?:der|des|von)\s|(?:lois?|droit)\s(?:de\sla\s|du\s|de\sl['’]|de\s|des\s)"
    r"|(?:leyes|derecho|legislación)\s(?:de\slos\s|de\sla\s|del\s|de\s)|(?:leis|direito|legislação)\s(?:da|do|de)\s)(?=[A-ZÀ-Ý])"
)
_LAW_AFTER = re.compile(
    r"\b(?P<place>(?:[A-Z][a-z]+\s){1,2}?)(?:substantive\s|internal\s)?laws?\b"
    r"|\b(?P<german>(?:deutsch|österreichisch|schweizerisch)\w*)\sRecht\b|\bdroit\s(?P<french>français|suisse|belge|luxembourgeois)\b"
)
_ANNIVERSARY = re.compile(
    r"\b(?:(?P<word>[a-z]{4,9})(?:\s\(\d{1,2}\w{2}\))?|\(?(?P<digits>\d{1,2})(?:st|nd|rd|th)\)?)(?:\s\(?\w+\)?)?\sanniversary\b",
    re.I,
)
_OF_A_COMPANY = re.compile(
    r"(?:organi[sz]ed|existing|incorporated|formed|chartered)\b[^.;]{0,40}\bunder\s(?:the\s)?$", re.I
)
_NO_PLACE = frozenset(
    ("governing", "applicable", "federal", "state", "securities", "this", "the", "such", "choice", "common", "case")
)
_WHOLE = re.compile(r"England and Wales|(?:République|Confédération)\s\w+")
"""Places whose names go on in lower case."""


@dataclass(frozen=True)
class Mention:
    """From `start` to `end` in the text. `before` and `after` reach to the next value of the kind, or a few words."""

    start: int
    end: int
    text: str
    value: Any
    sentence: Sentence
    before: str
    after: str
    first: bool
    """Whether it is the first of its kind in the sentence."""

    @cached_property
    def beginnings(self) -> frozenset[str]:
        """Those of the words around it."""
        return beginnings((*canonical(self.before), *canonical(self.after), *canonical(self.sentence.heading)))


class Mentions:
    """All mentions of a document by kind, found on first use."""

    def __init__(self, running: RunningText, spans: Spans) -> None:
        self._running = running
        self._spans = spans
        self._found: dict[Kind, list[Mention]] = {}

    def of(self, kind: Kind) -> list[Mention]:
        if kind not in self._found:
            find = self._finder(kind)
            self._found[kind] = [each for sentence in self._running.sentences for each in _mentions(sentence, find)]
        return self._found[kind]

    def _spans_in(self, kind: Kind) -> Callable[[Sentence], Iterable[tuple[int, int, Any]]]:
        """Values that are recognized wherever they are, such as times and numbers, by the sentence they are in."""
        found: dict[int, list[tuple[int, int, Any]]] = {}
        for span in self._spans.of(kind)[:_MAX_SPANS]:
            start = self._running.start_of(span.tokens[0])
            sentence = self._running.sentence_at(start) if start is not None else None
            if start is not None and sentence is not None and not (kind == "id" and _YEAR.fullmatch(span.text)):
                at = self._running.text.find(span.text, start, sentence.end) - sentence.start
                if at >= 0:
                    found.setdefault(sentence.start, []).append((at, at + len(span.text), span.value))
        return lambda sentence: found.get(sentence.start, ())

    def _finder(self, kind: Kind) -> Callable[[Sentence], Iterable[tuple[int, int, Any]]]:
        if kind == "date":
            return lambda sentence: find_dates(sentence.text, day_first=self._spans.day_first)
        if kind == "percent":
            return lambda sentence: find_percentages(sentence.text, decimal=self._spans.decimal)
        if kind == "duration":
            return lambda sentence: (*find_durations(sentence.text), *_anniversaries(sentence.text))
        if kind == "law":
            return _laws
        if kind == "name":
            return _names
        if kind != "amount":
            return self._spans_in(kind)
        return lambda sentence: (
            (start, end, amount.value)
            for start, end, amount in find_amounts(sentence.text, decimal=self._spans.decimal)
            if amount.currency
        )


def _mentions(sentence: Sentence, find: Callable[[Sentence], Iterable[tuple[int, int, Any]]]) -> Iterator[Mention]:
    found = sorted(find(sentence), key=lambda each: each[:2])
    for at, (start, end, value) in enumerate(found):
        since = max(found[at - 1][1] if at else 0, start - _BEFORE)
        until = min(found[at + 1][0] if at + 1 < len(found) else len(sentence.text), end + _AFTER)
        yield Mention(
            sentence.start + start,
            sentence.start + end,
            sentence.text[start:end],
            value,
            sentence,
            sentence.text[since:start],
            sentence.text[end:until],
            at == 0,
        )


def _names(sentence: Sentence) -> Iterator[tuple[int, int, str]]:
    """Names of persons, companies and things: text in quotation marks, and words with capitals that a sentence does not
    begin with anyway."""
    yield from ((*quoted.span(1), quoted[1]) for quoted in _QUOTED.finditer(sentence.text))
    end = 0
    for word in _CAPITALIZED.finditer(sentence.text):
        named = name_at(sentence.text, word.start()) if word.start() >= end else None
        if named is not None and (" " in named.text or (word.start() and company_clue(named.text) > 0)):
            yield named.start, named.end, named.text
            end = named.end


def _anniversaries(text: str) -> Iterator[tuple[int, int, Duration]]:
    """`until the second anniversary of the date hereof` is two years."""
    for found in _ANNIVERSARY.finditer(text):
        count = int(found["digits"]) if found["digits"] else spelled_number(found["word"])
        if count:
            yield found.start(), found.end(), Duration(count, "year", "year" if count == 1 else "years")


def _laws(sentence: Sentence) -> Iterator[tuple[int, int, str]]:
    """Places whose law governs: not the law under which a company exists."""
    text = sentence.text
    if GOVERNS.search(text) is None and GOVERNS.search(sentence.heading) is None:
        return
    for found in _LAW.finditer(text):
        if _OF_A_COMPANY.search(text[: found.start()]):
            continue
        whole = _WHOLE.match(text, found.end())
        named = name_at(text, found.end())
        if whole is not None:
            yield whole.start(), whole.end(), whole.group()
        elif named is not None:
            yield named.start, named.end, named.text
    for found in _LAW_AFTER.finditer(text):
        group = next(name for name, value in found.groupdict().items() if value)
        start, end = found.start(group), found.start(group) + len(found[group].rstrip())
        words = text[start:end].casefold().split()
        if not _NO_PLACE & set(words):
            yield start, end, text[start:end]
