"""Postal addresses: the lines below a name or after a label, up to the next topic."""

import re
from collections.abc import Iterable, Sequence

from docsieve.engines.local.page.columns import below, heads_columns, may_hold
from docsieve.engines.local.page.view import MAX_HEAD_LENGTH, PageView, Piece, Token, said
from docsieve.engines.local.parties.letterheads import PARTING, REGISTRATION, Name, whole_line
from docsieve.engines.local.vocabulary.concepts import ROLES
from docsieve.values.amounts import find_amounts
from docsieve.values.contact.addresses import POSTCODE, address_clue
from docsieve.values.contact.phones import parse_phone
from docsieve.values.dates import find_dates
from docsieve.values.names import company_clue

Run = tuple[list[Token], Piece]
"""Words of an address and their line."""

_STOPS_TEXT = "phone fax email website tax date time invoice receipt registration iban bank bic cashier total store"
_STOPS = frozenset(_STOPS_TEXT.split())
_PARTY_LABELS = ROLES["buyer"] | ROLES["ship_to"] | {"bill", "to", "address"}
_LABELED = re.compile(r"\b(?:tel|phone|fax|hp|mobile|email|e-mail|gst|sst|tel\.?no|telefon|www\.|http)", re.I)
_MAX_ADDRESS_LINES = 6
_MAX_SKIPPED = 3
_LIKELY = 0.4
_SEPARATORS = frozenset("●•·|∙")
_POSTCODE_ALONE = re.compile(r"\d{4,6}(?:-\d{3,4})?[.,]?")
_WITH_REGION = re.compile(r"\d{4,6}\s+[^\d,]+,\s?[^\d,]+$")
"""A postcode, a town and a region or country, after which nothing follows."""

_HOUSE = re.compile(r"[^\W\d_][^\d:]{2,40}\s\d{1,4}\s?[a-z]?,?|\d{1,5}[a-z]?,?\s[^\W\d_][^\d:]{3,40}", re.I)


def address_lines(name: Name) -> list[Run]:
    """The address below a name: after registration numbers, up to a phone number, tax number or the next topic.

    It may begin in the line of the name: `Firm GmbH · Street 1 · 12345 Town`.
    """
    found = _inline(name)
    if found and POSTCODE.search(said(found[-1][0])) and not found[-1][0][-1].text[-1].isdigit():
        return found
    inline, skipped = len(found), 0
    above: list[Run] = []
    for line in below(name.piece, name.page, limit=12, gap=1.3):
        if found and heads_columns(line, name.page):
            break
        for part in _parts(whole_line(line, name.page)):
            tokens = _before_label(part)
            if not found:
                if tokens and _may_start(tokens, line, name.page) and not REGISTRATION.match(said(part)):
                    found += [run for run in above if _HOUSE.fullmatch(said(run[0]))]
                    found.append((tokens, line))
                elif skipped == _MAX_SKIPPED:
                    return []
                else:
                    skipped += 1
                    above = [(part, line)]
                continue
            completes = _POSTCODE_ALONE.fullmatch(said(part)) and not POSTCODE.search(said(found[-1][0]))
            if (_ends_address(part) and not completes) or len(found) == _MAX_ADDRESS_LINES:
                return _without_tail(found)
            if tokens:
                found.append((tokens, line))
            if len(tokens) < len(part) or (inline and len(found) > inline):
                return _without_tail(found)
    return _without_tail(found)


def address_blocks(page: PageView) -> Iterable[list[Run]]:
    """Lines that are an address by themselves, whatever is above them, such as at the foot of a receipt."""
    used: set[int] = set()
    for row in page.rows:
        for piece in row.pieces:
            likely = address_clue(piece.head) >= _LIKELY and not piece.boxed
            if id(piece) in used or not likely or not _may_start(piece.tokens, piece, page):
                continue
            found: list[Run] = [(list(piece.tokens), piece)]
            for line in below(piece, page, limit=_MAX_ADDRESS_LINES, gap=1.3):
                if _ends_address(line.tokens) or not _belongs(line.head):
                    break
                found.append((list(line.tokens), line))
            used.update(id(line) for _, line in found)
            yield found


def labeled_lines(piece: Piece, end: int, page: PageView) -> list[Run]:
    """The address after a label: in its line, to its right or below, as far as it looks like an address."""
    row = page.rows[piece.row].pieces
    rest = [token for token in piece.tokens[end:] if any(map(str.isalnum, token.text))]
    if rest:
        first = (rest, piece)
    elif piece.place + 1 < len(row) and may_hold(piece, row[piece.place + 1]):
        first = (row[piece.place + 1].tokens, row[piece.place + 1])
    elif under := below(piece, page, limit=1, gap=2.0):
        first = (under[0].tokens, under[0])
    else:
        return []
    if _ends_address(first[0]):
        return []
    found = [first]
    for line in below(first[1], page, limit=_MAX_ADDRESS_LINES, gap=1.0):
        if _ends_address(line.tokens) or not _belongs(line.head):
            break
        found.append((line.tokens, line))
    if piece.is_label and len(found) > 1 and not _starts_address(first[1].head):
        del found[0]  # the name, where the label of a form asks for both
    return found if address_clue(" ".join(said(tokens) for tokens, _ in found)) >= 0.3 else []


def _inline(name: Name) -> list[Run]:
    """The rest of a line such as `Firm GmbH ● Street 1 ● 12345 Town`, up to a phone number."""
    parts = PARTING.split(name.piece.head)
    if len(parts) < 2 or address_clue(" ".join(parts[1:])) < _LIKELY:
        return []
    rest = name.piece.tokens[len(parts[0].split()) :]
    kept: list[Token] = []
    for part in _parts(rest):
        if kept and _ends_address(part):
            break
        kept += (token for token in part if any(map(str.isalnum, token.text)))
    return [(kept, name.piece)] if kept else []


def _parts(tokens: Sequence[Token]) -> Iterable[list[Token]]:
    """The runs of words between dots and bars that separate the parts of a line."""
    part: list[Token] = []
    for token in tokens:
        if token.text in _SEPARATORS:
            if part:
                yield part
            part = []
        else:
            part.append(token)
    if part:
        yield part


def _before_label(tokens: list[Token]) -> list[Token]:
    for at, token in enumerate(tokens):
        if _LABELED.match(token.text.lstrip("(")):
            return tokens[:at]
    return tokens


def _starts_address(text: str) -> bool:
    return address_clue(text) >= 0.3 or bool(re.match(r"(?:lot|no|unit|level|ground|g)\b[\s.:,]*\S*\d", text, re.I))


def _may_start(tokens: list[Token], line: Piece, page: PageView) -> bool:
    """Whether an address may begin with these words of a line. Lines with an amount next to them are items."""
    priced = any(other is not line and find_amounts(other.head) for other in page.rows[line.row].pieces)
    return _starts_address(said(tokens)) and not priced and not _is_labeled(tokens)


def _ends_address(tokens: Sequence[Token]) -> bool:
    text = said(tokens)[:MAX_HEAD_LENGTH]
    words = {word for token in tokens for word in token.names}
    if words and words <= _PARTY_LABELS and not any(map(str.isdigit, text)):
        return True
    if REGISTRATION.match(text) or parse_phone(text) is not None or "@" in text:
        return True
    if find_dates(text) or any(amount.currency for _, _, amount in find_amounts(text)):
        return True
    return _is_labeled(tokens) or _is_a_title(text)


def _is_labeled(tokens: Sequence[Token]) -> bool:
    """Whether a line says that it is about something else."""
    text = said(tokens)[:MAX_HEAD_LENGTH]
    topics = {word for token in tokens for word in token.names} & _STOPS
    return bool((topics and address_clue(text) < 0.7) or re.search(r"\w\s*:\s*\S", text))


def _is_a_title(text: str) -> bool:
    return bool(re.fullmatch(r"[\W_]*", text)) or bool(re.match(r"\W*tax invoice|\W*receipt|\W*invoice", text, re.I))


def _without_tail(found: list[Run]) -> list[Run]:
    """Drop lines after the last one that looks like part of an address, unless they name a place."""
    last = max((at for at, (tokens, _) in enumerate(found) if _belongs(said(tokens))), default=-1)
    keep = last + 1
    if last >= 0 and _WITH_REGION.search(said(found[last][0])):
        return found[:keep]
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
