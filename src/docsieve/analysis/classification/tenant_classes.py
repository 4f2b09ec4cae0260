"""Scores a tenant's own classes by comparing their names and descriptions with a document."""

from collections.abc import Mapping, Sequence

from docsieve.analysis.classification.words import BODY, HEADING, SHORT_LINE, TOP, Cue, Words, find, index, words_of
from docsieve.domain.classes import ClassDescription

_NAME = {HEADING: 6.0, SHORT_LINE: 3.5, TOP: 3.0}
_NAME_MENTIONED = 1.5
_KEYWORDS = 5.0
_FEWEST_KEYWORDS = 2
_SHORTEST_KEYWORD = 4
_STEM = 6
_NEARNESS, _MAX_NEARNESS, _FURTHEST = 12.0, 3.0, -1.5

# Words of descriptions that carry no information about the document.
_EMPTY = frozenset(
    words_of(
        """
        about also been document documents file files from have into issued like made most often other page pages part
        paper papers such that their them then there these they this those type typically used usually what when where
        which while will with within your eine einer eines oder nach uber unter wird werden sind dokument dokumente
        pour avec dans para documento documenti della delle degli voor door documenten pelo pela documentos"""
    )
)


def own_scores(words: Words, classes: Sequence[ClassDescription], nearness: Mapping[str, float]) -> dict[str, float]:
    """Points on the scale of the built-in classes. `nearness` is a class's similarity relative to their average."""
    names = [Cue(each.name, "name", phrase) for each in classes if (phrase := tuple(words_of(each.name)))]
    named = {cue.label: place for cue, place in find(words, index(names)).items()}
    stems = {word[:_STEM] for word, place in zip(words.words, words.places, strict=True) if place > BODY}
    return {
        each.name: _name_points(named.get(each.name))
        + _keyword_points(each, stems)
        + max(_FURTHEST, min(nearness[each.name] * _NEARNESS, _MAX_NEARNESS))
        for each in classes
    }


def _name_points(place: float | None) -> float:
    return 0.0 if place is None else _NAME.get(place, _NAME_MENTIONED)


def _keyword_points(described: ClassDescription, stems: set[str]) -> float:
    """The share of the description's words that appear on the first page, ignoring endings."""
    words = words_of(f"{described.name} {described.description}")
    keywords = {word[:_STEM] for word in words if len(word) >= _SHORTEST_KEYWORD and word not in _EMPTY}
    found = len(keywords & stems)
    return _KEYWORDS * found / len(keywords) if found >= _FEWEST_KEYWORDS else 0.0
