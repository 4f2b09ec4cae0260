"""Currencies, choices and check marks: values inferred from the whole page rather than from one location."""

import re
from collections.abc import Sequence

from docsieve.engines.local.fields.candidates import Candidate, Scene, best_clue, identities, reason
from docsieve.engines.local.fields.spans import Span
from docsieve.engines.local.fields.ticks import ticked
from docsieve.engines.local.page.view import said, spot
from docsieve.engines.local.vocabulary.canon import folded
from docsieve.engines.local.vocabulary.matcher import Matcher
from docsieve.engines.local.vocabulary.targets import Target
from docsieve.values.names import company_clue

COMMON_CURRENCY = 0.62
ENUM_ALONE = 0.5
ENUM_TICKED = 0.75
_MIN_MEMBER_LENGTH = 3


def currency_candidates(target: Target, matcher: Matcher, scene: Scene) -> list[Candidate]:
    """The currency after its label, otherwise the one used by most amounts."""
    spans = [span for span in scene.spans.of("currency") if company_clue(span.piece.head) < 1.0]
    counts: dict[str, int] = {}
    for span in spans:
        counts[span.value] = counts.get(span.value, 0) + 1
    found = []
    for span in spans:
        clue, label = best_clue(matcher, scene.clues(span))
        share = counts[span.value] / len(spans)
        made = _made(target, span, max(label, COMMON_CURRENCY * share + 0.2 * share), reason(clue, span.piece.page))
        if label < 0.3:
            made.why = f"the currency of {counts[span.value]} amounts, first on page {span.piece.page}"
        found.append(made)
    return found


def _made(target: Target, span: Span, score: float, why: str) -> Candidate:
    return Candidate(target, span.value, [spot(span.tokens, span.piece)], score, why, "alone", identities(span.tokens))


def enum_candidates(target: Target, labeled: Sequence[Candidate], scene: Scene) -> list[Candidate]:
    """A member of the enum that follows the label, has its box ticked, or is the only one on the page."""
    members = {folded(str(member)): str(member) for member in target.field.enum or () if member is not None}
    by_length = sorted(members, key=len, reverse=True)
    found: list[Candidate] = []
    pieces = (scene.captions.piece_of(each.tokens) for each in labeled)
    rows = {(piece.document, piece.page, piece.row) for piece in pieces if piece is not None}
    for words, piece in ticked(scene.view.pieces):
        if rows and (piece.document, piece.page, piece.row) not in rows:
            continue
        text = folded(said(words))
        if (key := next((key for key in by_length if _holds(text, key)), None)) is not None:
            why = f"ticked on page {piece.page}"
            found.append(
                Candidate(target, members[key], [spot(words, piece)], ENUM_TICKED, why, "form", identities(words))
            )
    for each in () if found else labeled:
        if (key := next((key for key in by_length if _holds(folded(each.text), key)), None)) is not None:
            each.text = members[key]
            found.append(each)
    if found:
        return found
    for piece in scene.view.pieces:
        text = folded(piece.text[:400])
        for key in by_length:
            if len(key) >= _MIN_MEMBER_LENGTH and _holds(text, key):
                why = f"named on page {piece.page}"
                found.append(Candidate(target, members[key], [spot(piece.tokens, piece)], ENUM_ALONE, why, "alone"))
                break
        if len(found) > 20:
            break
    return found if len({each.text for each in found}) == 1 else found[:1]


def _holds(text: str, member: str) -> bool:
    return bool(re.search(rf"(?<!\w){re.escape(member)}(?!\w)", text))
