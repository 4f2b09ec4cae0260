"""The parties of an agreement or a letter, from the text that introduces them."""

import re
from collections.abc import Iterator

from docsieve.engines.local.prose.names import Named, Party, defined_parties, name_at, parties_of
from docsieve.engines.local.prose.text import RunningText
from docsieve.engines.local.prose.topics import ABSTRACT, KIN, SALUTATION
from docsieve.engines.local.vocabulary.canon import canonical
from docsieve.engines.local.vocabulary.matcher import Matcher
from docsieve.engines.local.vocabulary.targets import Target
from docsieve.values.dates import find_dates
from docsieve.values.names import company_clue, person_clue

_INTRODUCTION = 6_000
_LETTERHEAD = 1_500
_KIN = 0.93
_FIRST_SENTENCES = 2
_WORD = re.compile(r"[^\W\d_]+")


def introduced(running: RunningText) -> list[Party]:
    """The parties, in the order of the text; names that it repeats are left out."""
    found: list[Party] = []
    for sentence in running.sentences:
        if sentence.start > _INTRODUCTION:
            break
        listed = parties_of(running.text, sentence.start, sentence.end)
        if any(party.name.company or party.roles for party in listed):
            found = listed
            break
    found += [party for party in defined_parties(running.text, 0, _INTRODUCTION) if _is_party(party)]
    if len(found) < 2:
        found += _addressed(running)
    if len(found) < 2:
        found += _companies(running)
    return sorted(_distinct(found), key=lambda party: party.name.start)


def _distinct(parties: list[Party]) -> Iterator[Party]:
    seen: list[str] = []
    for party in parties:
        name = " ".join(_WORD.findall(party.name.text.casefold()))
        if not any(name.startswith(other) or other.startswith(name) for other in seen):
            seen.append(name)
            yield party


def _is_party(party: Party) -> bool:
    if any(ABSTRACT.search(role) for role, _, _ in party.roles) or ABSTRACT.search(party.name.text):
        return False
    return company_clue(party.name.text) == 1.0 or person_clue(party.name.text) >= 0.6


def _addressed(running: RunningText) -> Iterator[Party]:
    """Companies above the salutation of a letter."""
    greeting = SALUTATION.search(running.text, 0, _INTRODUCTION)
    at = 0
    while greeting is not None and at < greeting.start():
        named = name_at(running.text, at)
        if named is not None and named.end <= greeting.start() and _ends_line(running, named):
            yield Party(named)
            at = named.end
        at = running.text.find(" ", at) + 1 or len(running.text)


def _companies(running: RunningText) -> Iterator[Party]:
    """Companies in the first sentences of a document, however these are worded."""
    for sentence in running.sentences[:_FIRST_SENTENCES]:
        at = sentence.start
        while at < min(sentence.end, _INTRODUCTION):
            named = name_at(running.text, at)
            if named is not None and named.end <= sentence.end and company_clue(named.text) == 1.0:
                yield Party(named)
                at = named.end
            at = running.text.find(" ", at) + 1 or len(running.text)


def _ends_line(running: RunningText, named: Named) -> bool:
    """Whether the name is a whole line, which has the form of a company."""
    words = running.words(named.start, named.end)
    piece = words[0][1]
    return company_clue(named.text) == 1.0 and [token for token, _ in words] == piece.tokens


def letter_date(running: RunningText) -> tuple[int, int] | None:
    """The place of the first date above a salutation."""
    head = running.text[:_LETTERHEAD]
    greeting = SALUTATION.search(head)
    dates = find_dates(head[: greeting.start()]) if greeting is not None else []
    return dates[0][:2] if dates else None


def role_score(target: Target, matcher: Matcher, role: str) -> float:
    """How well a role names the field, also by another word for the same role."""
    said = {word.casefold() for word in _WORD.findall(role)}
    asked = {word.casefold() for word in _WORD.findall(target.field.name.replace("_", " "))}
    kin = any(said & group and asked & group for group in KIN)
    return max(matcher.score(canonical(role)), _KIN if kin else 0.0)
