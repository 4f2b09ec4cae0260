"""How well the words of a label match a field."""

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache

from docsieve.domain.schemas.fields import ITEM
from docsieve.engines.local.vocabulary.concepts import BY_NAME
from docsieve.engines.local.vocabulary.kinship import same_word
from docsieve.engines.local.vocabulary.labels import beginnings
from docsieve.engines.local.vocabulary.lexicon import GENERIC, MEANINGS
from docsieve.engines.local.vocabulary.targets import CONCEPT_RIVALS, Target, Words
from docsieve.values.currencies import CODES

_EXTRA_WORD = 0.12
_UNKNOWN_WORD = 0.16
_MAX_LOST = 0.42
_HARMLESS = dict.fromkeys(("rm", "currency", "percent", "myr", "eur", "dem", "this", "please", "sr", "revision"), 0.03)
_OF_ANOTHER = frozenset(("other", "previous", "original"))
"""Words in a label that say that the value is not the one that the rest of the label names."""

_OUT_OF_ORDER = 0.75
_PARTED = 0.8
_GENERIC_WORD = 0.35

_NUMERIC = frozenset(("amount", "number", "integer", "percent"))
_WORDY = frozenset(("text", "name", "person", "address", "country", "enum"))
# Concepts that use the labels of another one on purpose, so they do not compete with it.
_ALLIES = {
    "amount_due": frozenset(("total", "net_total")),
    "total": frozenset(("amount_due", "net_total")),
    "contract_number": frozenset(("invoice_number", "order_number")),
    "period_start": frozenset(("period_end", "order_date", "issue_date")),
    "period_end": frozenset(("period_start", "order_date", "issue_date")),
    "time": frozenset(("issue_date",)),
    "issue_date": frozenset(("period_start", "period_end")),
}


_OTHER_THAN_NAMES = frozenset(
    (
        "bic",
        "account",
        "iban",
        "number",
        "id",
        "tax",
        "email",
        "phone",
        "fax",
        "reference",
        "date",
        "code",
    )
)
_OF_THE_PARTY = 0.3
_SURELY_OTHER = 0.95
_BORROWED = 0.8
_LOST_TO_RIVAL = 5
_OF_A_NAME = 0.9
_SURELY_KNOWN = 0.8
_CLOSE = 0.1
_CURRENCIES = CODES - {"ALL", "CUP", "MOP", "TOP", "TRY"}
"""Codes that are not English words too."""


class Matcher:
    """Scores labels for one field. Labels recur, so scores are cached."""

    def __init__(self, target: Target, learned: Mapping[Words, float] | None = None) -> None:
        self._target = target
        self._learned = learned or {}
        self._kept: dict[Words, float] = {}
        self.beginnings = beginnings(
            word for phrase in (*(own for own, _ in target.own), *target.known, *self._learned) for word in phrase
        )

    def score(self, label: Words) -> float:
        """From 0 (no match) to about 1; lower if the label matches something else even better."""
        if not label or len(label) > 12:
            return 0.0
        if label not in self._kept:
            said = _without_currency(label) if self._target.type == "amount" else label
            self._kept[label] = self._score(said) if beginnings(said) & self.beginnings else 0.0
        return self._kept[label]

    def _score(self, label: Words) -> float:
        if label in self._learned:
            return self._learned[label]
        mine = self._mine(label)
        if self._target.party == "name" and not _OTHER_THAN_NAMES.isdisjoint(label):
            mine *= _OF_THE_PARTY
        if mine <= 0:
            return 0.0
        rival = rival_score(self._target, label)
        if rival >= _SURELY_OTHER and self._target.concept is not None and _known(self._target.known, label) < 0.5:
            mine = min(mine, rival) * _BORROWED
        return mine * (mine / rival) ** _LOST_TO_RIVAL if rival > mine + 0.02 else mine

    def _mine(self, label: Words) -> float:
        return _fit(self._target, label)


def _without_currency(label: Words) -> Words:
    """`TOTAL EUR` is the label of a total."""
    return tuple(word for word in label if word.upper() not in _CURRENCIES) or label


class FieldNames:
    """How completely words are the name of any field of the schema or of a common concept."""

    def __init__(self, targets: Sequence[Target]) -> None:
        self._single = [target for target in targets if ITEM not in target.field.path]
        self._by_target: dict[Words, dict[str, float]] = {}
        self._own: dict[str, set[Words]] = {}
        for phrase in {phrase for target in targets for phrase, weight in target.own if weight >= _OF_A_NAME}:
            for beginning in beginnings(phrase):
                self._own.setdefault(beginning, set()).add(phrase)
        self._kept: dict[Words, float] = {}

    def own_share(self, target: Target, words: Words) -> float:
        """How the label fits the field next to how it fits the field of the schema that it fits best, at most 1.

        Concepts compete in `Matcher`.
        """
        if words not in self._by_target:
            self._by_target[words] = {each.field.pattern: _fit(each, words) for each in self._single}
        fits = self._by_target[words]
        mine = fits.get(target.field.pattern, 0.0)
        others = (each for each in self._single if each.concept is None or target.concept is None)
        most = max((fits[each.field.pattern] for each in others), default=0.0)
        return 1.0 if not mine or most <= mine + _CLOSE else mine / most

    def score(self, words: Words) -> float:
        if not words:
            return 0.0
        if words not in self._kept:
            phrases = {phrase for beginning in beginnings(words) for phrase in self._own.get(beginning, ())}
            own = max((_alike(phrase, words) for phrase in phrases), default=0.0)
            meant = max((score for _, score in _meanings(words)), default=0.0)
            told = sum(word in MEANINGS or any(word in phrase for phrase in phrases) for word in words)
            self._kept[words] = min(1.0, max(own, meant)) * told / len(words)
        return self._kept[words]


def _fit(target: Target, label: Words) -> float:
    starts = _beginnings(label)
    # Words that begin differently are not the same, so most phrases need no closer look.
    near = ((phrase, weight) for phrase, weight in target.own if not starts.isdisjoint(_beginnings(phrase)))
    own = max((weight * _alike(phrase, label) for phrase, weight in near), default=0.0)
    return max(_known(target.known, label), own)


_beginnings = lru_cache(maxsize=16_384)(beginnings)


def means_something(label: Words) -> bool:
    """Whether a label surely names a common concept."""
    return any(score >= _SURELY_KNOWN for _, score in _meanings(label))


@lru_cache(maxsize=16_384)
def _meanings(label: Words) -> tuple[tuple[str, float], ...]:
    """All common concepts that a label may mean."""
    scores = ((name, _known(phrases, label)) for name, phrases in CONCEPT_RIVALS.items())
    return tuple((name, score) for name, score in scores if score > 0)


def rival_score(target: Target, label: Words) -> float:
    """How well a label names a common concept that the field is not."""
    rivals = _rivals(target.name, target.type)
    return max((score for name, score in _meanings(label) if name in rivals), default=0.0)


@lru_cache(maxsize=256)
def _rivals(mine: str, kind: str) -> frozenset[str]:
    allies = _ALLIES.get(mine, frozenset())
    numeric = kind in _NUMERIC
    found = []
    for name in CONCEPT_RIVALS:
        concept = BY_NAME[name]
        rivalling = concept.type in _NUMERIC if numeric else concept.type == kind
        if kind in _WORDY:
            rivalling = concept.type not in _WORDY
        if name != mine and name not in allies and rivalling:
            found.append(name)
    return frozenset(found)


def _known(phrases: dict[frozenset[str], tuple[Words, float]], label: Words) -> float:
    given = frozenset(label)
    best = 0.0
    for words, (order, weight) in phrases.items():
        if weight > best and words <= given:
            score = weight * (1 - min(_MAX_LOST, sum(_extra(word) for word in given - words)))
            if len(order) > 2 and not _in_order(order, label):
                score *= _OUT_OF_ORDER
            elif len(order) > 1 and _parted(words, label):
                score *= _PARTED
            best = max(best, score)
    return best


def _extra(word: str) -> float:
    if word in _OF_ANOTHER:
        return _MAX_LOST
    return _HARMLESS.get(word, _EXTRA_WORD if word in MEANINGS else _UNKNOWN_WORD)


def _parted(words: frozenset[str], label: Words) -> bool:
    """Whether other words are in between: in `invoice for order number` the number is the order's."""
    places = [at for at, word in enumerate(label) if word in words]
    between = set(label[places[0] : places[-1]]) - words
    return any(word not in _HARMLESS for word in between)


def _in_order(phrase: Words, label: Words) -> bool:
    rest = iter(label)
    return all(word in rest for word in phrase)


def _alike(phrase: Words, label: Words) -> float:
    """How much two labels share, by their specific words."""
    met = {word: max((same_word(word, other) for other in label), default=0.0) for word in phrase}
    special = [word for word in phrase if not _says_little(word)]
    if special and not any(met[word] for word in special):
        return 0.0
    of_phrase = _weight(phrase)
    found = sum(_weight((word,)) * share for word, share in met.items())
    used = [other for other in label if any(same_word(word, other) for word in phrase)]
    of_label = _weight(label)
    return float((found / of_phrase) ** 1.3) * (0.55 + 0.45 * _weight(used) / of_label)


def _says_little(word: str) -> bool:
    return word in GENERIC or len(word) < 3


def _weight(words: Iterable[str]) -> float:
    return sum(_GENERIC_WORD if _says_little(word) else 1.0 for word in words) or 1.0
