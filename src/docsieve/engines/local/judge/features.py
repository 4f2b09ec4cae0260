"""What the judge looks at: how a candidate was found, what it looks like, and what else could be the value.

No feature says which field it is, so that the judge serves fields of any schema.
"""

import math
from collections.abc import Iterator, Mapping, Sequence

from docsieve.engines.local.fields.candidates import SUMS, WAYS, Candidate, Scene
from docsieve.engines.local.fields.objections import label_likeness
from docsieve.engines.local.judge.facts import FACTS, Facts
from docsieve.engines.local.vocabulary.matcher import rival_score
from docsieve.engines.local.vocabulary.targets import Target
from docsieve.values.names import company_clue, person_clue

_KINDS = {
    "date": ("date", "time"), "amount": ("amount",), "number": ("number", "integer", "percent"), "id": ("id",),
    "contact": ("phone", "email", "url", "iban"), "name": ("name", "person", "country"), "address": ("address",),
    "text": ("text",), "choice": ("enum", "currency", "boolean"),
}  # fmt: skip
_OF_A_FIELD = (
    *(f"is_{kind}" for kind in _KINDS), "has_concept", "is_party", "is_sum", "is_seller", "is_buyer",
    "is_qualified", "depth", "askers", "peers",
)  # fmt: skip
_OF_A_CANDIDATE = (
    "score", "match", "strength", "quality", *(f"way_{way}" for way in WAYS), "label_share",
    "label_extra", "rival", "page", "left", "top",
    "size", "in_cell", "scanned", "words", "letters", "digits", "capitals", "begins_lower", "ends_with_colon",
    "looks_like_label", "like_company", "like_person",
)  # fmt: skip
_AMONG_CANDIDATES = ("margin", "better", "options", "agreeing", "order", "from_end", "contested", "lead")

FEATURES = (*_OF_A_FIELD, *_OF_A_CANDIDATE, *FACTS, *_AMONG_CANDIDATES)

RISING = frozenset(
    ("score", "match", "strength", "quality", "margin", "agreeing", "lead", "own_share", "section", "edge", "implied")
)
FALLING = frozenset(
    ("rival", "better", "contested", "looks_like_label", "ends_with_colon", "of_another_type", "answers")
)
"""A candidate never gets worse by more of a rising feature, or better by more of a falling one."""

_MANY = 20
_MAX_WORDS, _MAX_LETTERS = 15, 80

Offers = Sequence[tuple[Target, Sequence[Candidate]]]
"""The fields of a schema, each with its candidates."""


Wanted = Mapping[int | str, list[tuple[float, int]]]
"""The fields that want a word or a text most, with their scores."""


def features_of(offers: Offers, scene: Scene) -> list[list[float]]:
    """One row per candidate, field by field."""
    askers: dict[str, int] = {}
    for target, _ in offers:
        askers[target.type] = askers.get(target.type, 0) + 1
    wanted = _wanted(offers)
    facts = Facts(scene)
    rows = []
    for target, candidates in offers:
        field = _of_field(target, askers, scene)
        among = _among(candidates, wanted)
        rows += [
            [*field, *_of_candidate(each, scene), *facts.of(each), *others]
            for each, others in zip(candidates, among, strict=True)
        ]
    return rows


def _of_field(target: Target, askers: Mapping[str, int], scene: Scene) -> list[float]:
    peers = len(scene.spans.of(target.type))
    return [
        *(float(target.type in types) for types in _KINDS.values()),
        float(target.concept is not None),
        float(target.party is not None),
        float(target.name in SUMS),
        float(target.role == "seller"),
        float(target.role == "buyer"),
        float(bool(target.extra)),
        float(len(target.field.path)),
        math.log1p(askers[target.type]),
        math.log1p(peers),
    ]


def _of_candidate(each: Candidate, scene: Scene) -> list[float]:
    text = each.text[:200]
    words = text.split()
    letters = sum(map(str.isalpha, text))
    spot = each.spots[0] if each.spots else None
    page = scene.pages.get((spot.document, spot.page)) if spot else None
    named = each.target.type in _KINDS["name"] or each.target.type == "text"
    return [
        each.score,
        each.match,
        each.clue.strength if each.clue else 0.0,
        each.span.quality if each.span else 1.0,
        *(float(each.way == way) for way in WAYS),
        *_of_label(each),
        float(min(spot.page, 5)) if spot else 0.0,
        spot.box[0] / page.page.width if spot and page else 0.5,
        spot.box[1] / page.page.height if spot and page else 0.5,
        min((spot.box[3] - spot.box[1]) / page.height, 4.0) if spot and page else 1.0,
        float(each.span is not None and each.span.piece.cell is not None),
        float(page is not None and page.page.origin == "ocr"),
        float(min(len(words), _MAX_WORDS)),
        float(min(letters, _MAX_LETTERS)),
        sum(map(str.isdigit, text)) / max(len(text), 1),
        sum(map(str.isupper, text)) / max(letters, 1),
        float(text[:1].islower()),
        float(text.rstrip().endswith(":")),
        label_likeness(each, scene),
        company_clue(text) if named else 0.0,
        person_clue(text) if named else 0.0,
    ]


def _of_label(each: Candidate) -> tuple[float, float, float]:
    """How many of the field's words the label has, how many others, and how well it names something else."""
    words = each.clue.words if each.clue is not None else ()
    if not words:
        return 0.0, 0.0, 0.0
    mine = {*each.target.words, *(word for phrase in each.target.known for word in phrase)}
    shared = len({*words} & {*each.target.words}) / max(len(each.target.words), 1)
    return shared, sum(word not in mine for word in words) / len(words), rival_score(each.target, words)


def _wanted(offers: Offers) -> Wanted:
    """For each word and each text, the two fields that want it most, with their scores."""
    best: dict[int | str, dict[int, float]] = {}
    for target, candidates in offers:
        for each in candidates:
            for token in _claims(each):
                scores = best.setdefault(token, {})
                scores[id(target)] = max(scores.get(id(target), 0.0), each.score)
    return {
        token: sorted(((score, asker) for asker, score in scores.items()), reverse=True)[:2]
        for token, scores in best.items()
    }


def _claims(each: Candidate) -> Iterator[int | str]:
    """The words of a candidate by identity, and a name or another text wherever it is."""
    yield from each.tokens
    if each.target.type in _KINDS["name"] or each.target.type == "text":
        yield each.text.casefold()


def _among(candidates: Sequence[Candidate], wanted: Wanted) -> list[list[float]]:
    said = [each.text.casefold() for each in candidates]
    best: dict[str, float] = {}
    counts: dict[str, int] = {}
    for each, text in zip(candidates, said, strict=True):
        best[text] = max(best.get(text, 0.0), each.score)
        counts[text] = counts.get(text, 0) + 1
    ranked = sorted(best.items(), key=lambda pair: -pair[1])
    places = sorted(range(len(candidates)), key=lambda at: _place(candidates[at]))
    order = {at: place for place, at in enumerate(places)}
    rows = []
    for at, (each, text) in enumerate(zip(candidates, said, strict=True)):
        rival = next((score for other, score in ranked if other != text), 0.0)
        contested = _contested(each, wanted)
        rows.append(
            [
                each.score - rival,
                float(sum(score > each.score for other, score in ranked if other != text)),
                float(min(len(ranked), _MANY)),
                float(min(counts[text], _MANY)),
                float(min(order[at], _MANY)),
                float(min(len(candidates) - 1 - order[at], _MANY)),
                contested,
                each.score - contested,
            ]
        )
    return rows


def _contested(each: Candidate, wanted: Wanted) -> float:
    """The best score that another field gives one of the candidate's words."""
    return max(
        (score for token in _claims(each) for score, asker in wanted.get(token, ()) if asker != id(each.target)),
        default=0.0,
    )


def _place(each: Candidate) -> tuple[int, int, float, float]:
    if not each.spots:
        return 0, 0, 0.0, 0.0
    spot = each.spots[0]
    return spot.document, spot.page, spot.box[1], spot.box[0]
