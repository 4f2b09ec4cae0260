"""Labels that name a field in other words, by word vectors, or by its last word only: `Doctor` for a physician, `Date`
for the date of a meeting.

Used only if no word of the field is on the page: vectors also consider opposites similar, so words come first.
"""

from collections.abc import Sequence

from docsieve.engines.local.vocabulary.lexicon import GENERIC
from docsieve.engines.local.vocabulary.matcher import means_something
from docsieve.engines.local.vocabulary.targets import Target, Words

MIN_SIMILARITY = 0.5
WORTH = 0.85
BARE = 0.4
_MAX_LABELS = 400
_MAX_LABEL_WORDS = 4


def akin_labels(target: Target, labels: Sequence[Words]) -> dict[Words, float]:
    """The labels of a document that are similar in meaning to the field, with their weights."""
    bare = _bare(target, labels)
    asked = _special(target.words)
    given = [(label, words) for label in labels if len(label) <= _MAX_LABEL_WORDS and (words := _special(label))]
    given = [each for each in given if not means_something(each[0])][:_MAX_LABELS]
    if not asked or not given:
        return bare
    from docsieve.embeddings.local import embed_now  # 97 ms of processor time; few documents need it

    vectors = embed_now([asked, *(words for _, words in given)])
    alike = vectors[1:] @ vectors[0]
    return bare | {
        label: round(float(share) * WORTH, 3)
        for (label, _), share in zip(given, alike, strict=True)
        if share >= MIN_SIMILARITY
    }


def _bare(target: Target, labels: Sequence[Words]) -> dict[Words, float]:
    """The label that says only what kind of thing the field is, if the field says more than that."""
    head = target.words[-1:]
    return {head: BARE} if len(target.words) > 1 and head in labels and GENERIC.issuperset(head) else {}


def _special(words: Words) -> str:
    """Without words that many labels have, such as `date` and `number`."""
    return " ".join(word for word in words if word not in GENERIC and word.isalpha() and len(word) > 2)
