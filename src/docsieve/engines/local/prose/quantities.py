"""Numbers with the unit that a field asks for, wherever they are: `720.3 kg` for the weight in kilograms."""

from collections.abc import Iterator

from docsieve.engines.local.fields.candidates import Candidate, Scene, best_clue, candidate
from docsieve.engines.local.page.view import said
from docsieve.engines.local.vocabulary.matcher import Matcher
from docsieve.engines.local.vocabulary.targets import Target
from docsieve.engines.local.vocabulary.units import has_unit

_WORTH = 0.5
_LABELED = 0.4
_MAX_FOUND = 30


def quantities(target: Target, matcher: Matcher, scene: Scene) -> Iterator[Candidate]:
    found = 0
    for span in scene.spans.of("number") if target.unit else ():
        after = said(span.piece.tokens[span.last :]).partition(span.text)[2]
        if has_unit(target.unit, after):
            clue, label = best_clue(matcher, scene.clues(span))
            made = candidate(target, span, _WORTH + _LABELED * label, clue, label)
            made.why = f"with its unit on page {span.piece.page}"
            yield made
            found += 1
            if found == _MAX_FOUND:
                return
