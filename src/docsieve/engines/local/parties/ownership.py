"""Whose tax number, phone or address on the web it is: values of one party that are not the other's."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace

from docsieve.engines.local.fields.candidates import Candidate, identities
from docsieve.engines.local.fields.spans import Span
from docsieve.engines.local.page.view import said, spot
from docsieve.engines.local.vocabulary.concepts import ROLES
from docsieve.engines.local.vocabulary.targets import Target

OF_ONE_PARTY = frozenset(("tax_id", "registration_number", "phone", "fax", "email", "website", "iban", "bic"))
_OTHER = {"buyer": "seller", "seller": "buyer"}
_MIN_DIGITS = {"tax_id": 5, "registration_number": 3}
_GROUP = re.compile(r"\d{2,5}")
_FIRST_GROUP = re.compile(r"(?:[A-Z]{2,3})?\d{2,4}")
_VAT_ID = re.compile(r"[A-Z]{2,3}[ -]?[A-Z]?\d[\d. -]{4,14}[A-Z]{0,2}\d{0,2}")
_SAYS_VAT = re.compile(r"(?:^|_)(?:vat|ust|tva|iva|btw|mwst|gst)", re.I)
_OTHER_FORM = 0.7
_MAX_DIGITS = 16


def of_its_party(target: Target, found: Sequence[Candidate], blocks: dict[str, set[int]]) -> list[Candidate]:
    """Candidates without those of the other party. `blocks` are the lines of each party, by identity.

    A number that only one party has is the seller's. The buyer's has a label for the buyer, is in the buyer's block, or
    follows another one with the same label.
    """
    other = _OTHER[target.role] if target.role else ""
    seen: set[tuple[str, ...]] = set()
    kept = []
    for each in found:
        words = each.clue.words if each.clue is not None else ()
        piece = id(each.span.piece) if each.span is not None else 0
        if ROLES[target.role or ""] & set(words) or piece in blocks[target.role or ""]:
            kept.append(each)
        elif ROLES[other] & set(words) or piece in blocks[other]:
            pass
        elif target.role == "seller" or (words and words in seen):
            kept.append(each)
        seen.add(words)
    return kept


def whole_numbers(target: Target, found: Iterable[Candidate]) -> list[Candidate]:
    """Tax and registration numbers with all their groups of digits, without numbers that are too short.

    Where some begin with the letters of a country, those are for value added tax and the others for other taxes.
    """
    if target.name not in _MIN_DIGITS:
        return list(found)
    joined = [_with_groups(each) for each in found]
    long = [each for each in joined if sum(map(str.isdigit, each.text)) >= _MIN_DIGITS[target.name]]
    forms = {bool(_VAT_ID.fullmatch(each.text)) for each in long}
    if target.name == "tax_id" and len(forms) == 2:
        asks_vat = bool(_SAYS_VAT.search(target.field.name))
        for each in long:
            if bool(_VAT_ID.fullmatch(each.text)) != asks_vat:
                each.score *= _OTHER_FORM
    return long


def _with_groups(each: Candidate) -> Candidate:
    span = each.span
    if span is None or not _FIRST_GROUP.fullmatch(span.text):
        return each
    tokens, last = span.piece.tokens, span.last
    digits = sum(map(str.isdigit, span.text))
    while last + 1 < len(tokens) and _GROUP.fullmatch(tokens[last + 1].text):
        digits += len(tokens[last + 1].text)
        last += 1
    if last == span.last or digits > _MAX_DIGITS:
        return each
    text = said(tokens[span.first : last + 1])
    whole = Span(span.piece, span.first, last, text, text, span.quality)
    spots = [spot(whole.tokens, whole.piece)]
    return replace(each, text=text, value=text, span=whole, spots=spots, tokens=identities(whole.tokens))
