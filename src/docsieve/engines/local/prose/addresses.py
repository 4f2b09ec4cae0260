"""Postal addresses wherever they are, for fields that ask where something is: `the premises at 12 Elm Road, Boston`."""

import re
from collections.abc import Iterator

from docsieve.engines.local.fields.candidates import Candidate, Scene, identities
from docsieve.engines.local.page.view import spot
from docsieve.engines.local.prose.text import RunningText
from docsieve.engines.local.vocabulary.canon import canonical
from docsieve.engines.local.vocabulary.matcher import Matcher
from docsieve.engines.local.vocabulary.targets import Target

ASKED = frozenset(("address", "premises", "property", "residence", "site", "building", "street"))
_WORTH, _WORDED = 0.3, 0.55
_BEFORE = 70
_MAX_FOUND = 12
_LAST_WORDS = 16
_NAME = r"[A-ZÀ-Ý][\w'’.-]*"
_INNER = r"(?:(?:de|do|da|dos|das|del|la|le|les|du|des|der|dem|den|am|an|im|of|the|y|e) |d['’])"
_NUMBER = r"\d{1,5}(?: ?[a-zA-Z](?![\w])| (?:bis|ter))?"
_WORDS = rf"(?:{_INNER}*{_NAME}(?: {_INNER}*{_NAME}){{0,4}})"
_SEPARATOR = r"(?:, ?|,?\n| [·•–] | (?=\d{4,5} ))"
_STREET = (
    rf"(?:{_NUMBER},? (?:(?:rue|avenue|place|boulevard|chemin|allée|impasse|quai|route|cours) {_INNER}*)?{_WORDS}"
    rf"|{_WORDS},? (?:n[.º°] ?)?{_NUMBER})"
)
_REST = (
    rf"(?:{_SEPARATOR}(?:(?i:suite|apt|unit|floor|sala|piso|apto|étage|ste|room|dept)\.? ?[\w-]+|{_WORDS}(?: \d+)?))"
)
_CITY = rf"(?:{_WORDS}, [A-Z]{{2}} \d{{5}}(?:-\d{{4}})?|(?:[A-Z]{{1,2}}[- ])?\d{{4,5}}(?:-\d{{3,4}})? {_WORDS})"
_ADDRESS = re.compile(rf"(?<![\w.]){_STREET}{_REST}{{0,2}}?{_SEPARATOR}{_CITY}")


def asks_for_address(target: Target) -> bool:
    said_of = {word for phrase, _ in target.own for word in phrase}
    return target.type == "address" or (target.type in ("text", "name") and bool(ASKED & {*target.words, *said_of}))


def addresses(target: Target, matcher: Matcher, scene: Scene, running: RunningText) -> Iterator[Candidate]:
    """Those in running text, then those in cells of forms."""
    for at, found in enumerate(_ADDRESS.finditer(running.text)):
        if at == _MAX_FOUND:
            break
        start, end = found.span()
        before = running.text[max(0, start - _BEFORE) : start]
        match = _about(matcher, before)
        tokens = [token for token, _ in running.words(start, end)]
        text = re.sub(r"\s*[\n\t]\s*", ", ", found.group())
        why = f"an address on page {running.page_of(start)}"
        spots = running.spots(start, end)
        score = _WORTH + _WORDED * match
        yield Candidate(target, text, spots, score, why, "sentence", identities(tokens), match=match)
    for piece in scene.view.pieces:
        if piece.boxed and not piece.is_label and (whole := _ADDRESS.search(piece.text)) is not None:
            text = whole.group()
            why = f"an address on page {piece.page}"
            yield Candidate(target, text, [spot(piece.tokens, piece)], _WORTH, why, "alone", identities(piece.tokens))


def address_in(running: RunningText, start: int, end: int) -> tuple[int, int] | None:
    """The place of the first postal address between two places in a text, without the line after one that ends it."""
    found = _ADDRESS.search(running.text, start, end)
    if found is None:
        return None
    start, end = found.span()
    end = start + (found.group() + ". ").find(". ", -_LAST_WORDS) if ". " in found.group()[-_LAST_WORDS:] else end
    words = running.words(start, end)
    lengths = [len(token.text) + 1 for token, _ in words]
    for at in range(len(words) - 1, 0, -1):
        before = start + sum(lengths[:at]) - 1
        if words[at][1] is not words[at - 1][1] and _ADDRESS.fullmatch(running.text, start, before):
            return start, before
    return start, end


def _about(matcher: Matcher, before: str) -> float:
    """How well one of the last words before an address, or a few of them, name the field."""
    words = canonical(before)[-8:]
    windows = (words[at : at + size] for at in range(len(words)) for size in (1, 2, 3))
    return max((matcher.score(window) for window in windows), default=0.0)
