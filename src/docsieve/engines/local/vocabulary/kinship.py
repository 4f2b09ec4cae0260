"""How surely two words are forms of one: `issued` and `issuing`, `categoria` and `category`."""

import re

from docsieve.engines.local.vocabulary.dictionary import DICTIONARY
from docsieve.engines.local.vocabulary.lexicon import MEANINGS

_ABBREVIATED = 0.8
_SHORT = 0.5
_SAME_STEM = 0.9
_COGNATE = 0.8
_MIN_STEM, _MIN_COGNATE = 4, 5
_MIN_SHARE = 0.7
_ENDINGS = re.compile(
    r"(?:e|y|s|es|ed|er|or|ee|ing|ion|ation|ition|ment|ance|ence|able|al|ive|ity|ant|ent|ive|ion|ure|eur|ung|en|t"
    r"|te|ten|tes|ado|ada|ido|ida|cion|cao|ao|ie|ia|io|o|a)?"
)
_GIVES = re.compile(r"(?:er|or|eur|ant|ador|edor)s?$")
_RECEIVES = re.compile(r"(?:ee|ed|e|te|ado|ido|en|tes)s?$")


def same_word(word: str, other: str) -> float:
    """1 for the same word; less for a beginning of it, a form of it, or its like in another language."""
    if word == other:
        return 1.0
    if word[:3] != other[:3]:
        return 0.0
    shorter, longer = (word, other) if len(word) < len(other) else (other, word)
    if len(shorter) >= 3 and longer.startswith(shorter) and len(longer) > len(shorter):
        return _ABBREVIATED if len(shorter) >= 4 or len(longer) > 5 else _SHORT
    shared = _shared(shorter, longer)
    ends = shorter[shared:], longer[shared:]
    if shared < _MIN_STEM or _differ(shorter, longer):
        return 0.0
    if all(map(_ENDINGS.fullmatch, ends)):
        return _SAME_STEM
    return _COGNATE if shared >= _MIN_COGNATE and shared >= _MIN_SHARE * len(longer) else 0.0


def _shared(word: str, other: str) -> int:
    return next((at for at, pair in enumerate(zip(word, other, strict=False)) if pair[0] != pair[1]), len(word))


def _differ(word: str, other: str) -> bool:
    """Whether one gives what the other receives, as an employer and an employee, or both are known to differ."""
    if all(each in MEANINGS or each in DICTIONARY for each in (word, other)):
        return True
    return any(_GIVES.search(one) and _RECEIVES.search(two) for one, two in ((word, other), (other, word)))
