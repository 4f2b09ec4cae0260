"""Postal addresses: the lines below a name or after a label, up to the next topic."""

import re

from docsieve.engines.local.page.columns import below
from docsieve.engines.local.page.view import PageView, Piece, Token, said
from docsieve.engines.local.parties.letterheads import PARTING, REGISTRATION, Name
from docsieve.values.addresses import address_clue
from docsieve.values.amounts import find_amounts
from docsieve.values.dates import find_dates
from docsieve.values.names import company_clue

_STOPS_TEXT = "phone fax email website tax date time invoice receipt registration iban bank bic cashier total"
_STOPS = frozenset(_STOPS_TEXT.split())
_LABELED = re.compile(r"\b(?:tel|phone|fax|hp|mobile|email|e-mail|gst|sst|tel\.?no|telefon|www\.|http)", re.I)
_MAX_ADDRESS_LINES = 6
_HOUSE = re.compile(r"[^\W\d_][^\d:]{2,40}\s\d{1,4}\s?[a-z]?,?", re.I)


def address_lines(name: Name) -> list[tuple[list[Token], Piece]]:
    """The address below a name: after registration numbers, up to a phone number, tax number or the next topic."""
    inline = _inline(name)
    if inline:
        return [(inline, name.piece)]
    found: list[tuple[list[Token], Piece]] = []
    skipped = 0
    last: Piece | None = None
    for line in below(name.piece, name.page, limit=12, gap=1.3):
        text = line.head.strip()
        tokens = _before_label(line)
        words = {word for token in tokens for word in token.names}
        if not found:
            if tokens and _starts_address(said(tokens)) and not REGISTRATION.match(text):
                if last is not None and _HOUSE.fullmatch(last.head):
                    found.append((last.tokens, last))
                found.append((tokens, line))
            elif skipped == 3:
                break
            else:
                skipped += 1
                last = line
            continue
        if REGISTRATION.match(text) or _ends_address(text, words) or len(found) == _MAX_ADDRESS_LINES:
            break
        if tokens:
            found.append((tokens, line))
        if len(tokens) < len(line.tokens):
            break
    return _without_tail(found)


def labeled_lines(piece: Piece, end: int, page: PageView) -> list[tuple[list[Token], Piece]]:
    """The address after a label: in its line, to its right or below, as far as it looks like an address."""
    row = page.rows[piece.row].pieces
    rest = [token for token in piece.tokens[end:] if any(map(str.isalnum, token.text))]
    if rest:
        first = (rest, piece)
    elif piece.place + 1 < len(row):
        first = (row[piece.place + 1].tokens, row[piece.place + 1])
    elif under := below(piece, page, limit=1, gap=2.0):
        first = (under[0].tokens, under[0])
    else:
        return []
    found = [first]
    for line in below(first[1], page, limit=_MAX_ADDRESS_LINES, gap=1.0):
        words = {word for token in line.tokens for word in token.names}
        if _ends_address(line.head, words) or REGISTRATION.match(line.head) or not _belongs(line.head):
            break
        found.append((line.tokens, line))
    return found if address_clue(" ".join(said(tokens) for tokens, _ in found)) >= 0.3 else []


def _inline(name: Name) -> list[Token]:
    """The rest of a line such as `Firm GmbH ● Street 1 ● 12345 Town`."""
    text = name.piece.head
    parts = PARTING.split(text)
    if len(parts) < 2 or address_clue(" ".join(parts[1:])) < 0.4:
        return []
    kept = len(parts[0].split())
    return [token for token in name.piece.tokens[kept:] if any(map(str.isalnum, token.text))]


def _before_label(line: Piece) -> list[Token]:
    for at, token in enumerate(line.tokens):
        if _LABELED.match(token.text.lstrip("(")):
            return line.tokens[:at]
    return line.tokens


def _starts_address(text: str) -> bool:
    return address_clue(text) >= 0.3 or bool(re.match(r"(?:lot|no|unit|level|ground|g)\b[\s.:,]*\S*\d", text, re.I))


def _ends_address(text: str, words: set[str]) -> bool:
    if words & _STOPS and not address_clue(text) >= 0.7:
        return True
    if find_dates(text) or any(amount.currency for _, _, amount in find_amounts(text)):
        return True
    return bool(re.search(r"\w\s*:\s*\S", text)) or _is_a_title(text)


def _is_a_title(text: str) -> bool:
    return bool(re.fullmatch(r"[\W_]*", text)) or bool(re.match(r"\W*tax invoice|\W*receipt|\W*invoice", text, re.I))


def _without_tail(found: list[tuple[list[Token], Piece]]) -> list[tuple[list[Token], Piece]]:
    """Drop lines after the last one that looks like part of an address, unless they name a place."""
    last = max((at for at, (tokens, _) in enumerate(found) if _belongs(said(tokens))), default=-1)
    keep = last + 1
    if keep < len(found) and _names_a_place(said(found[keep][0])):
        return found[: keep + 1]
    if keep < len(found) and said(found[last][0]).rstrip().endswith(",") and len(found[keep][0]) <= 3:
        keep += 1
    return found[:keep]


def _names_a_place(text: str) -> bool:
    """A last line with letters only, such as a state or a country."""
    words = text.strip(" .,").split()
    return 1 <= len(words) <= 3 and all(word.strip(".,").isalpha() for word in words) and not company_clue(text)


def _belongs(text: str) -> bool:
    return address_clue(text) >= 0.3 or text.rstrip().endswith(",") or text.count(",") >= 1
