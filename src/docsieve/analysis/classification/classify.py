"""Classifies documents without network access and without a trained model.

Three signals support a class: its typical words (`cues`), the document's layout (`layout`), and the similarity of the
text to the class's description in the space of the local embedder. A tenant's own classes have no word list; their name
and description are used instead.
"""

import math
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import lru_cache

from docsieve.analysis.classification import layout as classes_layout
from docsieve.analysis.classification.cues import LANGUAGES
from docsieve.analysis.classification.tenant_classes import own_scores
from docsieve.analysis.classification.words import (
    BODY,
    HEADING,
    SHORT_LINE,
    TOP,
    Cue,
    Words,
    built_in_cues,
    document_words,
    find,
)
from docsieve.domain.classes import BUILT_IN, OTHER, ClassDescription, Classification
from docsieve.embeddings.local import embed_now
from docsieve.embeddings.port import Vectors

_TITLE = {HEADING: 5.0, SHORT_LINE: 2.5, TOP: 1.2}
_TITLE_MENTIONED = 0.5
_STRONG, _STRONG_FADES = 2.0, 0.85
_WEAK, _MAX_WEAK = 0.4, 2.0
_NEARNESS, _MAX_NEARNESS = 5.0, 1.0
_NOTHING_SPEAKS = 3.0
_TEMPERATURE = 1.6
_WORTH_A_THOUGHT = 1.0
_SUREST, _SUREST_OF_OTHER, _SUREST_OF_FOREIGN = 0.98, 0.8, 0.4
_EMBEDDED_CHARACTERS = 1_500


def classify(
    text: str,
    *,
    first_page: Sequence[str],
    page_count: int,
    page_size: tuple[float, float] | None = None,
    language: str | None = None,
    form_fields: int = 0,
    own_classes: Sequence[ClassDescription] = (),
) -> Classification:
    """The most likely class, or `other` without any signal. `first_page` are its lines in reading order."""
    words = document_words(text, first_page)
    if not words.words:
        return Classification(OTHER, _SUREST)
    layout = classes_layout.look_at(
        text, first_page, page_count=page_count, page_size=page_size, form_fields=form_fields
    )
    scores = _cue_scores(words)
    for name, points in classes_layout.scores(layout).items():
        scores[name] += points
    document = embed_now([text[:_EMBEDDED_CHARACTERS]])[0]
    nearness = _nearness(document, BUILT_IN[:-1])
    average = sum(nearness.values()) / len(nearness)
    for name, cosine in nearness.items():
        scores[name] += _bounded((cosine - average) * _NEARNESS, _MAX_NEARNESS)
    if own_classes:
        own_nearness = _nearness(document, tuple(own_classes))
        scores.update(own_scores(words, own_classes, {name: own_nearness[name] - average for name in own_nearness}))
    scores[OTHER] = _NOTHING_SPEAKS
    decided = _decide(scores)
    if decided.name == OTHER:
        # A lack of signals means less in a language we have no words for.
        most = _SUREST_OF_OTHER if language in LANGUAGES else _SUREST_OF_FOREIGN
        return replace(decided, confidence=min(decided.confidence, most))
    return decided


def _cue_scores(words: Words) -> defaultdict[str, float]:
    scores: defaultdict[str, float] = defaultdict(float)
    titles: dict[str, float] = {}
    strong: dict[str, list[float]] = {}
    weak: Counter[str] = Counter()
    for cue, place in find(words, built_in_cues()).items():
        if cue.tier == "titles":
            titles[cue.label] = max(titles.get(cue.label, 0), _TITLE.get(place, _TITLE_MENTIONED))
        elif cue.tier == "strong":
            strong.setdefault(cue.label, []).append(_strength(cue, place))
        else:
            weak[cue.label] += 1
    scores.update(titles)
    for label, points in strong.items():
        ordered = sorted(points, reverse=True)
        scores[label] += sum(point * _STRONG_FADES**at for at, point in enumerate(ordered))
    for label, count in weak.items():
        scores[label] += min(count * _WEAK, _MAX_WEAK)
    return scores


def _strength(cue: Cue, place: float) -> float:
    """A single word is a label on a short line, but may be just a word in a sentence."""
    doubtful = place == BODY or (len(cue.phrase) == 1 and place not in (HEADING, SHORT_LINE))
    return _STRONG / 2 if doubtful else _STRONG


def _nearness(document: Vectors, classes: Sequence[ClassDescription]) -> dict[str, float]:
    vectors = _described(tuple(classes))
    return {each.name: float(cosine) for each, cosine in zip(classes, vectors @ document, strict=True)}


@lru_cache(maxsize=64)
def _described(classes: tuple[ClassDescription, ...]) -> Vectors:
    return embed_now([f"{each.name.replace('_', ' ')}: {each.description}" for each in classes])


def _bounded(value: float, bound: float) -> float:
    return max(-bound, min(value, bound))


def _decide(scores: Mapping[str, float]) -> Classification:
    worth = {name: score for name, score in scores.items() if score >= _WORTH_A_THOUGHT}
    ranked = sorted(worth.items(), key=lambda item: (-item[1], item[0]))
    best = ranked[0][1]
    odds = [math.exp((score - best) / _TEMPERATURE) for _, score in ranked]
    total = sum(odds)
    return Classification(
        name=ranked[0][0],
        confidence=round(min(odds[0] / total, _SUREST), 3),
        runner_up=ranked[1][0] if len(ranked) > 1 else None,
        runner_up_confidence=round(odds[1] / total, 3) if len(ranked) > 1 else 0.0,
    )
