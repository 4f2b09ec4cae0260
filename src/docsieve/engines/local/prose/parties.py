"""The parties of an agreement or a letter, from the text that introduces them."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from docsieve.engines.local.page.columns import below
from docsieve.engines.local.page.view import DocumentView, Piece
from docsieve.engines.local.prose.names import Named, Party, defined_parties, name_at, parties_of
from docsieve.engines.local.prose.signatures import TITLE, signers, signing_companies
from docsieve.engines.local.prose.text import RunningText
from docsieve.engines.local.prose.topics import ABSTRACT, KIN, PARTIES, PARTY_LABELS, SALUTATION
from docsieve.engines.local.vocabulary.canon import canonical
from docsieve.engines.local.vocabulary.matcher import Matcher
from docsieve.engines.local.vocabulary.targets import Target
from docsieve.values.dates import find_dates
from docsieve.values.names import company_clue, person_clue

_INTRODUCTION = 6_000
_LETTERHEAD = 1_500
_KIN = 0.93
_FIRST_SENTENCES = 2
_MIN_PARTIES = 2
_MAX_LABEL_WORDS = 4
_ARTICLE = 5
_MAX_LISTED = 8
_LABEL = re.compile(r"(?<![^\s(])(?P<label>(?:[^\W\d_]+[ /]){0,2}[^\W\d_]+)\s?:\s")
_DATED = re.compile(r"\b(?:dated?|datum|data|fecha)\W*$", re.I)
_LABEL_ENDS = re.compile(r"[.,;]")
_ENTRY = re.compile(r"(?<!\S)\(?\d[.)]\s+")
_WORD = re.compile(r"[^\W\d_]+")


def introduced(running: RunningText, view: DocumentView) -> list[Party]:
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
    found += [*_after_colon(running), *_at_labels(running, view)]
    for more in (_addressed, _numbered, _companies):
        if len(_distinct(found)) < _MIN_PARTIES:
            found += more(running)
    if len(_distinct(found)) < _MIN_PARTIES:
        found += _signing(running, view)
    return _distinct(sorted(found, key=lambda party: party.name.start))


def _distinct(parties: Sequence[Party]) -> list[Party]:
    """Each party once, with all its roles."""
    seen: dict[str, Party] = {}
    for party in parties:
        name = " ".join(_WORD.findall(party.name.text.casefold()))
        same = next((other for other in seen if name.startswith(other) or other.startswith(name)), None)
        if same is None:
            seen[name] = party
        else:
            known = seen[same]
            roles = dict.fromkeys((*known.roles, *party.roles))
            seen[same] = replace(known, roles=tuple(roles), address=known.address or party.address)
    return list(seen.values())


def _after_colon(running: RunningText) -> Iterator[Party]:
    """`Landlord: Oak Homes LLC`."""
    for found in _LABEL.finditer(running.text, 0, _INTRODUCTION):
        if _labels_party(found["label"]):
            party = _named(running, found.end(), (found["label"], found.start("label"), found.end("label")))
            if party is not None:
                yield party


def _at_labels(running: RunningText, view: DocumentView) -> Iterator[Party]:
    """Names to the right of a role, or under it."""
    for page in view.pages[:2]:
        for piece in page.pieces:
            if len(piece.tokens) > _MAX_LABEL_WORDS or not _labels_party(piece.text):
                continue
            start = running.start_of(piece.tokens[0]) or 0
            role = (piece.text, start, start + len(piece.text))
            right = page.rows[piece.row].pieces[piece.place + 1 : piece.place + 2]
            lists = PARTIES.search(piece.text) is not None
            lines = below(piece, page, limit=_MAX_LISTED if lists else 1)
            found = _at_lines(running, right, role) or _at_lines(running, lines, role)
            yield from (replace(party, roles=()) if lists else party for party in found)


def _at_lines(running: RunningText, lines: Sequence[Piece], role: tuple[str, int, int]) -> list[Party]:
    """The parties that the lines begin with, up to the first line without one."""
    found: list[Party] = []
    for line in lines:
        at = running.start_of(line.tokens[0])
        named = _named(running, at, role) if at is not None else None
        if named is None:
            break
        found.append(named)
    return found


def _labels_party(label: str) -> bool:
    words = {word.casefold() for word in _WORD.findall(label)}
    return 0 < len(words) <= _MAX_LABEL_WORDS and _says(words, PARTY_LABELS) and len(_LABEL_ENDS.findall(label)) == 0


def _named(running: RunningText, start: int, role: tuple[str, int, int]) -> Party | None:
    named = name_at(running.text, start)
    if named is None or named.start - start > _ARTICLE:
        return None
    party = Party(named, (role,))
    return party if _is_party(party) else None


def _numbered(running: RunningText) -> Iterator[Party]:
    """Companies and persons at the head of the entries of a list: `(1) Oak Homes LLC, of 12 Elm Road`."""
    for found in _ENTRY.finditer(running.text, 0, _INTRODUCTION):
        named = name_at(running.text, found.end())
        if named is not None and company_clue(named.text) == 1.0:
            yield Party(named)


def _signing(running: RunningText, view: DocumentView) -> Iterator[Party]:
    """Who signs, where the text does not say who agrees."""
    pieces = [*signing_companies(view), *(signer.name.piece for signer in signers(view) if signer.title is None)]
    for piece in pieces:
        start = running.start_of(piece.tokens[0])
        named = name_at(running.text, start) if start is not None else None
        if named is not None and _is_party(Party(named)):
            yield Party(named)


def _is_party(party: Party) -> bool:
    if any(ABSTRACT.search(role) for role, _, _ in party.roles):
        return False
    if company_clue(party.name.text) == 1.0:
        return True
    name = party.name.text
    return person_clue(name) >= 0.6 and ABSTRACT.search(name) is None and TITLE.search(name) is None


def _addressed(running: RunningText) -> Iterator[Party]:
    """Companies above the salutation of a letter."""
    greeting = SALUTATION.search(running.text, 0, _INTRODUCTION)
    at = 0
    while greeting is not None and at < greeting.start():
        named = name_at(running.text, at)
        if named is not None and named.end <= greeting.start() and _ends_line(running, named):
            yield Party(named)
            at = named.end
        at = running.next_word(at)


def _companies(running: RunningText) -> Iterator[Party]:
    """Companies in the first sentences of a document, however these are worded."""
    for sentence in running.sentences[:_FIRST_SENTENCES]:
        at = sentence.start
        while at < min(sentence.end, _INTRODUCTION):
            named = name_at(running.text, at)
            if named is not None and named.end <= sentence.end and company_clue(named.text) == 1.0:
                yield Party(named)
                at = named.end
            at = running.next_word(at)


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


def dated(running: RunningText) -> tuple[int, int] | None:
    """The place of a date after the word, before the first paragraphs: `Date: May 3, 2029`."""
    head = running.text[:_LETTERHEAD]
    return next(
        ((start, end) for start, end, _ in find_dates(head) if _DATED.search(head[max(0, start - 12) : start])), None
    )


def role_score(target: Target, matcher: Matcher, role: str) -> float:
    """How well a role names the field, also by another word for the same role."""
    said = {word.casefold() for word in _WORD.findall(role)}
    asked = {word.casefold() for word in _WORD.findall(target.field.name.replace("_", " "))}
    kin = any(_says(said, group) and _says(asked, group) for group in KIN)
    return max(matcher.score(canonical(role)), _KIN if kin else 0.0)


def _says(words: set[str], roles: frozenset[str]) -> bool:
    """Whether one of the words is a role, also with an ending: `Vermieterin`."""
    return any(word in roles or any(len(role) > 4 and word.startswith(role) for role in roles) for word in words)
