"""Names the reasons why a leaf may be wrong: those of the engine, and what the pages show."""

from collections.abc import Sequence

from docsieve.analysis.proof.grounding.ground import Grounding
from docsieve.analysis.proof.grounding.labels import labels_of
from docsieve.analysis.proof.grounding.words import runs_of
from docsieve.domain.doubts import DoubtCode, sentence
from docsieve.domain.extraction import Doubt, Evidence, Found, FoundDoubt, Material
from docsieve.domain.schemas.fields import ITEM, Scalar, Schema, SchemaField, fields_of

_HARD_TO_READ = 0.8
"""A mean OCR confidence below which one word in three is misread."""

_LONGEST_LABEL = 100


class Doubts:
    """Names the doubts about the leaves of one extraction."""

    def __init__(self, materials: Sequence[Material], schema: Schema) -> None:
        self._ids = [material.document_id for material in materials]
        self._pages = {(at, page.number): page for at, material in enumerate(materials) for page in material.pages}
        self._labels = labels_of(fields_of(schema))

    def about(self, found: Found, grounding: Grounding, field: SchemaField | None) -> list[Doubt]:
        """The engine's own doubts first."""
        given = [self._placed(each) for each in found.doubts]
        known = {each.code for each in given}
        seen = _about_null(grounding) if found.value is None else self._about_value(found, grounding, field)
        return [*given, *(each for each in seen if each.code not in known)]

    def _about_value(self, found: Found, grounding: Grounding, field: SchemaField | None) -> list[Doubt]:
        if not grounding.evidence:
            return [_doubt("not_on_page")]
        doubts = []
        if field is not None and field.enum is None and self._is_label(found.value):
            doubts.append(_doubt("looks_like_label"))
        alone = field is not None and ITEM not in field.path
        if alone and grounding.occurrences > 1 and not grounding.label and not grounding.spotted:
            doubts.append(_doubt("several_places", count=grounding.occurrences))
        if grounding.ocr is not None and grounding.ocr < _HARD_TO_READ:
            doubts.append(_doubt("hard_to_read"))
        return doubts

    def _is_label(self, value: Scalar) -> bool:
        return isinstance(value, str) and len(value) <= _LONGEST_LABEL and tuple(runs_of(value)) in self._labels

    def _placed(self, doubt: FoundDoubt) -> Doubt:
        """An engine may name a place that does not exist."""
        places = [(spot, page) for spot in doubt.spots if (page := self._pages.get((spot.document, spot.page)))]
        evidence = [
            Evidence(self._ids[spot.document], page.number, page.width, page.height, spot.box, spot.text)
            for spot, page in places
        ]
        return Doubt(doubt.code, doubt.message, doubt.other, evidence)


def in_general(found: Found, grounding: Grounding) -> Doubt:
    """The doubt about a leaf that is not certain enough, but for no particular reason.

    Whether a value has a label is known to the engine, if it said where the value is.
    """
    if found.value is None:
        return _doubt("usually_present")
    unlabeled = not grounding.label and not grounding.spotted
    return _doubt("no_label" if unlabeled else "low_confidence")


def _about_null(grounding: Grounding) -> list[Doubt]:
    if not grounding.labels:
        return []
    message = sentence("label_without_value", page=grounding.labels[0].page)
    return [Doubt("label_without_value", message, None, grounding.labels)]


def _doubt(code: DoubtCode, **gaps: object) -> Doubt:
    return Doubt(code, sentence(code, **gaps), None, [])
