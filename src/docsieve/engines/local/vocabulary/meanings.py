"""Labels that mean what a field asks for in other words: `Doctor` for a physician, by the vectors of the words.

Only where no word of the field stands on the page: vectors also find opposites alike, so words come first.
"""

from collections.abc import Sequence

from docsieve.engines.local.vocabulary.lexicon import GENERIC
from docsieve.engines.local.vocabulary.wants import Want, Words

LEAST_ALIKE = 0.5
WORTH = 0.85
_MOST_LABELS = 400
_LONGEST_LABEL = 4


def akin_labels(want: Want, labels: Sequence[Words]) -> dict[Words, float]:
    """The labels of a document that are near to the field in meaning, with what they are worth."""
    asked = _special(want.words)
    given = [(label, words) for label in labels if len(label) <= _LONGEST_LABEL and (words := _special(label))]
    given = given[:_MOST_LABELS]
    if not asked or not given:
        return {}
    from docsieve.embeddings.local import embed_now  # loads the vectors, which most documents never need

    vectors = embed_now([asked, *(words for _, words in given)])
    alike = vectors[1:] @ vectors[0]
    return {
        label: round(float(share) * WORTH, 3)
        for (label, _), share in zip(given, alike, strict=True)
        if share >= LEAST_ALIKE
    }


def _special(words: Words) -> str:
    """Without the words that many labels have: `date`, `number`."""
    return " ".join(word for word in words if word not in GENERIC and word.isalpha() and len(word) > 2)
