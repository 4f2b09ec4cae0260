"""What makes a chosen candidate doubtful: another one as good, a label that is far away or says little, or none."""

from collections.abc import Iterator, Sequence

from docsieve.domain.doubts import sentence
from docsieve.domain.extraction import FoundDoubt
from docsieve.engines.local.fields.candidates import Candidate, Scene, identities
from docsieve.engines.local.fields.evidence import Clue
from docsieve.engines.local.page.view import Piece
from docsieve.values.normal import normalized

_AS_GOOD = 0.5
"""A candidate that is at least this share as likely as the chosen one could be the value."""

_WEAK = 0.65
_LIKE_A_LABEL = 0.5
_TEXTS = frozenset(("text", "name", "person", "address", "id"))
_NUMBERS = {2: "two", 3: "three", 4: "four"}


def doubts_of(chosen: Candidate, others: Sequence[Candidate], scene: Scene) -> list[FoundDoubt]:
    """The gravest first. `others` are the field's other candidates whose words no other field uses."""
    found = []
    if chosen.target.type in _TEXTS and scene.looks_like_label(chosen.tokens) >= _LIKE_A_LABEL:
        found.append(FoundDoubt("looks_like_label", sentence("looks_like_label")))
    if (other := _as_good(chosen, others, scene)) is not None:
        message = sentence("two_candidates", value=chosen.text, other=other.text)
        found.append(FoundDoubt("two_candidates", message, other.text, other.spots))
    return [*found, *_of_label(chosen, scene)]


def near_miss(best: Candidate, scene: Scene) -> list[FoundDoubt]:
    """The doubt about a null that its best candidate leaves, unless that is a label itself."""
    if scene.looks_like_label(best.tokens) >= _LIKE_A_LABEL:
        return []
    return [FoundDoubt("near_miss", sentence("near_miss", other=best.text), best.text, best.spots)]


def usually_present() -> FoundDoubt:
    return FoundDoubt("usually_present", sentence("usually_present"))


def _as_good(chosen: Candidate, others: Sequence[Candidate], scene: Scene) -> Candidate | None:
    """The best candidate elsewhere on the pages that scores nearly as high and means something different."""
    close = [each for each in others if each.score >= _AS_GOOD * chosen.score and not each.tokens & chosen.tokens]
    meant: dict[str, str] = {}

    def meaning(text: str) -> str:
        if text not in meant:
            meant[text] = normalized(text, chosen.target.field, day_first=scene.spans.day_first)
        return meant[text]

    mine = meaning(chosen.text)
    best_first = sorted(close, key=lambda candidate: -candidate.score)
    return next((each for each in best_first if mine not in (its := meaning(each.text)) and its not in mine), None)


def _of_label(chosen: Candidate, scene: Scene) -> Iterator[FoundDoubt]:
    clue = chosen.clue
    if clue is None:
        if not chosen.match:
            yield FoundDoubt("no_label", sentence("no_label"))
        return
    between = _between(clue, chosen, scene)
    label = next((each for each in between if _may_be_label(each, scene)), None)
    if label is not None:
        message = sentence("other_label_between", between=label.head.strip(" :"), label=clue.text)
        yield FoundDoubt("other_label_between", message)
    elif between:
        away = len(between) + 1
        distance = f"{_NUMBERS.get(away, away)} columns"
        yield FoundDoubt("distant_label", sentence("distant_label", label=clue.text, distance=distance))
    if chosen.match < _WEAK:
        yield FoundDoubt("weak_label", sentence("weak_label", label=clue.text))


def _may_be_label(piece: Piece, scene: Scene) -> bool:
    return scene.looks_like_label(identities(piece.tokens)) >= _LIKE_A_LABEL


def _between(clue: Clue, chosen: Candidate, scene: Scene) -> list[Piece]:
    """The pieces between a label and a value in its row; none if the label is not to the left of it."""
    piece = scene.captions.piece_of(chosen.tokens)
    if clue.where != "right of" or piece is None:
        return []
    before = scene.pages[piece.document, piece.page].rows[piece.row].pieces[: piece.place]
    for at in range(len(before) - 1, -1, -1):
        if clue.text in before[at].text:
            return before[at + 1 :]
    return []
