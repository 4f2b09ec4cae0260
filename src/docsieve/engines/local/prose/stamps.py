"""The day on which an office received a document, from the stamp it put on the page."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator

from docsieve.engines.local.fields.candidates import Candidate, Scene, identities
from docsieve.engines.local.fields.spans import Span
from docsieve.engines.local.page.columns import below
from docsieve.engines.local.page.view import Piece, spot
from docsieve.engines.local.vocabulary.targets import Target

ON_LINE = 0.9
UNDER = 0.8
SIGNED = 0.5
LATER, MAX_LATER = 0.02, 5
_REPEATED = 0.04
_MAX_WORDS = 14
_LINES = 4
ASKED = re.compile(
    r"\b(?:fil(?:e|ed|ing)|recei(?:ved|pt)|stamp\w*|lodg\w+|eingang\w*|eingereicht\w*|registriert|protocol\w*|entrada"
    r"|recebid\w+|recibid\w+|presentaci\w+|dépôt|reçu|réception)\b",
    re.I,
)
_CUE = re.compile(
    r"\b(?:received|filed|accepted|lodged|recorded|entered|eingegangen|eingang|eingereicht|registriert|recebido|recibido"
    r"|protocolad[oa]|entrada|presentado|registrado|reçu|déposé|enregistré)\b",
    re.I,
)


def stamped(target: Target, scene: Scene) -> Iterator[Candidate]:
    """Dates of stamps; the same date several times is surer."""
    found = list(_stamps(scene))
    times = Counter(str(span.value) for _, span, _ in found)
    for cue, span, score in found:
        score += _REPEATED if times[str(span.value)] > 1 else 0.0
        where = "on the line of" if span.piece is cue else "below"
        yield _candidate(target, span, score, f"{where} the stamp '{cue.text[:40]}' on page {cue.page}")


def when_signed(target: Target, dates: Iterable[Span]) -> Iterator[Candidate]:
    """The day of the signature, where a document may have been filed without a stamp."""
    for at, span in enumerate(dates):
        score = SIGNED - LATER * min(at, MAX_LATER)
        yield _candidate(target, span, score, f"date of the signature on page {span.piece.page}")


def _candidate(target: Target, span: Span, score: float, why: str) -> Candidate:
    words = identities(span.tokens)
    return Candidate(target, span.text, [spot(span.tokens, span.piece)], score, why, "mark", words, span.value)


def _stamps(scene: Scene) -> Iterator[tuple[Piece, Span, float]]:
    for page in scene.view.pages:
        for piece in page.pieces:
            if len(piece.tokens) > _MAX_WORDS or (cue := _CUE.search(piece.head)) is None:
                continue
            own = [span for span in scene.spans.within("date", piece) if span.first > 0]
            if own:
                yield piece, own[0], ON_LINE
            elif piece.text[cue.end() :].count(" ") <= _LINES and cue.start() < _LINES:
                row = page.rows[piece.row].pieces[piece.place + 1 :]
                under = [*row[:1], *below(piece, page, limit=_LINES, gap=1.5)]
                dates = [span for line in under for span in scene.spans.within("date", line)]
                yield from ((piece, span, UNDER) for span in dates[:1])
