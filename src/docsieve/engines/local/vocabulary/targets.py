"""What a field of the schema asks for: its concept, the type of its value, and the words to look for."""

import dataclasses
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from docsieve.domain.schemas.fields import ITEM, SchemaField
from docsieve.engines.local.vocabulary.canon import canonical, words_of_name
from docsieve.engines.local.vocabulary.concepts import ATTRIBUTES, BY_NAME, CONCEPTS, PARTY_LABELS, ROLES, Concept
from docsieve.engines.local.vocabulary.lexicon import GENERIC
from docsieve.engines.local.vocabulary.units import UNIT_NAMES

Words = tuple[str, ...]

_ISO_DATE = re.compile(r"YYYY-MM-DD|ISO[ -]?8601|ISO (?:date|format)", re.I)
_SAYS_NAME = re.compile(
    r"\b(?:name|nom|nombre|naam|nome|nama) (?:of|de|der|des|du|van)\b|\bfull (?:legal )?name\b", re.I
)
_SAYS_DATE = re.compile(r"\bdate\b|\bDatum\b|\bfecha\b", re.I)
_QUOTED = re.compile(r"[\"'“‘(]([^\"'”’()]{2,60})[\"'”’)]")
_EXAMPLE = re.compile(r"e\.?\s?g|i\.e|for example|such as|like |z\.\s?B|excl|incl|not ", re.I)
_FIRST_WORDS = re.compile(
    r"^(?:the|a|an)?\s*(.{2,60}?)"
    r"(?:\s(?:as|in|on|at|from|printed|shown|if|which|that|is|are|for|where|with)\b|[.,(;:—]|$)",
    re.I,
)
_DESCRIBED = re.compile(r"(?:the\s)?(date|time|phone|email|amount)\b", re.I)
_BY_HEAD = {
    "date": "date", "birth": "date", "time": "time", "number": "id", "id": "id", "code": "id", "reference": "id",
    "amount": "amount", "total": "amount", "subtotal": "amount", "price": "amount", "balance": "amount",
    "salary": "amount", "rent": "amount", "tax": "amount", "discount": "amount", "fee": "amount", "charge": "amount",
    "percent": "percent", "quantity": "number", "phone": "phone", "fax": "phone", "email": "email", "website": "url",
    "year": "number", "age": "number", "count": "number", "location": "text", "holder": "name", "type": "text",
    "method": "text", "range": "text", "role": "text", "title": "text", "status": "text", "ssn": "id", "ein": "id",
    "tin": "id", "iban": "iban", "currency": "currency", "address": "address", "name": "name", "gross": "amount",
    "net": "amount",
}  # fmt: skip
_BY_FORMAT = {
    "date": "date", "date-time": "date", "time": "time", "email": "email", "phone": "phone", "iban": "iban",
    "uri": "url", "url": "url", "currency": "currency", "country": "country", "amount": "amount", "percent": "percent",
}  # fmt: skip
_UMLAUT = re.compile(r"([aou])e(?![aeiou])")
"""As identifiers spell `ä`, `ö` and `ü`."""

_QUALIFIED = 0.62
_ALIKE = 3
_PER = re.compile(r"(?<![a-z])[Pp]er(?![a-z])")
"""A price per unit is not measured in that unit."""

_SURE_OF_PARTY = 0.8
_CONTAINERS_TEXT = "meta metadata info information data detail header general field basic personal"
_CONTAINERS = frozenset(_CONTAINERS_TEXT.split())


@dataclass(slots=True, eq=False)
class Target:
    """`own` are phrases from the schema, `known` those of the concept, each with its weight."""

    field: SchemaField
    type: str
    words: Words
    concept: Concept | None = None
    role: str | None = None
    party: str | None = None
    """`name` or `address` of the party in `role`."""
    own: list[tuple[Words, float]] = dataclasses.field(default_factory=list)
    known: dict[frozenset[str], tuple[Words, float]] = dataclasses.field(default_factory=dict)
    extra: frozenset[str] = frozenset()
    iso_date: bool = False
    unit: str = ""
    """The unit that ends the name of a number: `kg` of `weight_kg`."""

    @property
    def name(self) -> str:
        return self.concept.name if self.concept else ""

    @property
    def is_guessed(self) -> bool:
        """Whether the schema asks for a plain string, so that its type is only what its name suggests."""
        return self.field.kind == "string" and self.field.format is None and not self.iso_date

    @property
    def group(self) -> str:
        """The words for the object that the field belongs to: its parent, or `shipper` of `shipper_address`."""
        path = self.field.path
        if ITEM in path:
            return ""
        own = words_of_name(self.field.name)
        parents = [word for part in path[:-1] for word in words_of_name(part) if word not in _CONTAINERS]
        if not parents and len(own) > 1 and (own[-1] in ATTRIBUTES or own[-1] == "name"):
            parents = list(own[:-1])
        return " ".join(dict.fromkeys(parents))


def targets_of(fields: Sequence[SchemaField]) -> list[Target]:
    """New ones each time, because the columns of a table may get more phrases."""
    found = _targets(tuple(fields))
    return [
        dataclasses.replace(target, field=given, own=[*target.own]) for target, given in zip(found, fields, strict=True)
    ]


@lru_cache(maxsize=32)
def _targets(fields: tuple[SchemaField, ...]) -> list[Target]:
    """Depends on the schema alone, so that a process which forks others can have done it before."""
    siblings = [_name_words(each) for each in fields]
    found = [_target(each, siblings) for each in fields]
    _add_without_prefix(found)
    return found


def groups_of(targets: Sequence[Target]) -> dict[str, list[Words]]:
    """The names of the objects that fields belong to, if there are several: `shipper` and `consignee`."""
    groups: dict[str, list[Words]] = {}
    for target in targets:
        if target.group and target.group not in groups:
            labels = PARTY_LABELS[target.role] if target.role is not None else {}
            told = [tuple(text.split()) for text, weight in labels.items() if weight >= _SURE_OF_PARTY]
            groups[target.group] = [tuple(target.group.split()), *told]
    return groups if len(groups) > 1 else {}


def _add_without_prefix(targets: Sequence[Target]) -> None:
    """If several names share a prefix, use only the rest: of `tax_class_llc` only `llc`."""
    counts = Counter(target.words[:at] for target in targets for at in range(1, len(target.words)))
    for target in targets:
        shared = [at for at in range(1, len(target.words)) if counts[target.words[:at]] >= _ALIKE]
        if shared and not GENERIC.issuperset(rest := target.words[max(shared) :]):
            target.own.append((rest, 0.82))


def _name_words(each: SchemaField) -> Words:
    last = max((at for at, part in enumerate(each.path) if part == ITEM), default=-1)
    parents = [part for part in each.path[last + 1 : -1] if part != ITEM]
    above = [word for part in parents for word in words_of_name(part) if word not in _CONTAINERS]
    return tuple(dict.fromkeys([*above, *words_of_name(each.name)]))


def _target(each: SchemaField, siblings: Sequence[Words]) -> Target:
    measured = each.kind in ("number", "integer") and _PER.search(each.name) is None
    words, unit = _without_unit(_name_words(each)) if measured else (_name_words(each), "")
    said = f"{each.title} {each.description}"
    made = Target(each, "text", words, iso_date=bool(_ISO_DATE.search(said)), unit=unit)
    _set_party(made, words)
    if made.party is None:
        _set_concept(made, words, said, siblings)
    made.type = _type(each, made, said)
    made.own = _own_phrases(each, words, is_known=made.concept is not None)
    if made.party == "name" and "holder" in words:
        made.own += _OF_HOLDER
    if made.name in ("period_start", "period_end"):
        made.own += _of_period(words)
    if made.concept is not None:
        worth = _QUALIFIED if made.extra else 1.0
        made.known = _phrases(made.concept.labels, worth)
    if made.party is not None and made.role is not None:
        made.known = _phrases(PARTY_LABELS[made.role], 1.0)
    return made


def _without_unit(words: Words) -> tuple[Words, str]:
    """The words of a name without the unit at its end or beginning, if anything is left."""
    for size in (2, 1):
        for rest, end in ((words[:-size], words[-size:]), (words[size:], words[:size])):
            unit = UNIT_NAMES.get(" ".join(end))
            if unit is not None and rest:
                return rest, unit
    return words, ""


def _phrases(labels: dict[str, float], worth: float) -> dict[frozenset[str], tuple[Words, float]]:
    return {frozenset(text.split()): (tuple(text.split()), weight * worth) for text, weight in labels.items()}


_HELD = frozenset(("account", "policy", "card"))
_OF_HOLDER = [(("account", "holder"), 1.0), (("holder",), 0.9), (("account", "name"), 0.9)]


def _set_party(made: Target, words: Words) -> None:
    given = set(words)
    role = next((role for role, cues in ROLES.items() if given & cues), None)
    rest = given - (ROLES[role] if role else frozenset())
    if "holder" in given:
        rest -= _HELD
    if role == "ship_to" and not rest & {"to", "address", "name"}:
        return
    made.role = role
    if role and rest <= {"name", "legal", "full", "title", "to"}:
        made.party, made.type = "name", "name"
    elif "address" in rest and "email" not in rest and rest <= {"address", "full", "postal", "bill", "street", "to"}:
        made.party, made.type = "address", "address"
        made.role = role or ("buyer" if "bill" in rest else "seller")
    elif role is None and words[-1:] == ("address",) and len(words) == 2 and len(made.field.path) > 1:
        made.party, made.type = "address", "address"


def _set_concept(made: Target, words: Words, said: str, siblings: Sequence[Words]) -> None:
    found = _concept(frozenset(words), made)
    if found is None or found[1]:
        found = _concept(frozenset(words) - ROLES.get(made.role or "", frozenset()), made) or found
    if found is None:
        return
    concept, extra = found
    period = concept.name in ("period_start", "period_end")
    if period and not _is_period(made, words, said, siblings):
        return
    little = _SAYING_LITTLE | _OF_AN_ITEM if ITEM in made.field.path else _SAYING_LITTLE
    if extra - little and not (period and "name" not in extra):
        return
    if made.field.kind == "string" or concept.type not in ("id", "name", "text"):
        made.concept, made.extra = concept, extra - little
        if concept.name == "customer_number":
            made.role = None


def _concept(given: frozenset[str], made: Target) -> tuple[Concept, frozenset[str]] | None:
    """The concept that the words match best, and the remaining words."""
    best: tuple[float, Concept, frozenset[str]] | None = None
    repeats = ITEM in made.field.path
    for concept in CONCEPTS:
        if repeats != (concept.name in _OF_ROWS) and concept.name in (_OF_ROWS | _NOT_OF_ROWS):
            continue
        for name in concept.names:
            phrase = frozenset(name.split())
            extra = given - phrase
            if phrase <= given and len(extra) <= 2:
                score = len(phrase) - 0.6 * len(extra)
                if best is None or score > best[0]:
                    best = score, concept, extra
    return best[1:] if best is not None else None


_SAYING_LITTLE_TEXT = "final overall all value invoice receipt bill order currency document amount rm eur"
_SAYING_LITTLE = frozenset(_SAYING_LITTLE_TEXT.split())
_OF_AN_ITEM = frozenset(("item", "line", "position"))
"""Remaining words that do not change the meaning of a name."""

ROW_CONCEPTS = _OF_ROWS = frozenset(("quantity", "unit_price", "line_total", "item_name"))
_NOT_OF_ROWS = frozenset(("total", "net_total", "total_quantity", "invoice_number", "contract_number"))


def _is_period(made: Target, words: Words, said: str, siblings: Sequence[Words]) -> bool:
    if made.field.format == "date" or made.iso_date or "date" in words or _SAYS_DATE.search(said) or "period" in words:
        return True
    others = {"from": "to", "to": "from", "start": "end", "end": "start"}
    return any(tuple(others.get(word, word) for word in words) == each for each in siblings if each != words)


def _type(each: SchemaField, made: Target, said: str) -> str:
    if each.enum is not None:
        return "enum"
    if each.kind == "boolean":
        return "boolean"
    if each.format in _BY_FORMAT:
        return _BY_FORMAT[each.format]
    if each.kind in ("number", "integer"):
        if made.unit:
            return "number"
        if made.concept and made.concept.type in ("amount", "percent", "number"):
            return made.concept.type
        head = next((_BY_HEAD[word] for word in reversed(made.words) if word in _BY_HEAD), "number")
        return head if head in ("amount", "percent") else "number"
    if made.party:
        return made.type
    if made.iso_date:
        return "date"
    if made.concept:
        return made.concept.type
    for word in made.words:
        if word in ATTRIBUTES:
            return ATTRIBUTES[word]
    if (described := _DESCRIBED.match(each.description)) is not None:
        return _BY_HEAD[canonical(described[1])[0]]
    head = next((_BY_HEAD[word] for word in reversed(made.words) if word in _BY_HEAD), "text")
    if head in ("amount", "percent", "time") and _BY_HEAD.get(made.words[-1]) != head:
        head = "text"  # a cost center is no amount
    return "name" if head == "text" and _SAYS_NAME.search(said) else head


def _agent(name: str, words: Words) -> Words:
    """Who does what the name of a field says was done: the requester of `requested_by`."""
    parts = [part for part in re.split(r"[_\s]+|(?<=[a-z])(?=[A-Z])", name) if part]
    done = words[-1] if words else ""
    if len(parts) < 2 or parts[-1].casefold() != "by" or not done.endswith("ed"):
        return ()
    return (*words[:-1], f"{done.removesuffix('ed')}er")


def _own_phrases(each: SchemaField, words: Words, *, is_known: bool) -> list[tuple[Words, float]]:
    phrases: dict[Words, float] = {}

    def add(found: Words, weight: float) -> None:
        if found and len(found) <= 8:
            phrases[found] = max(phrases.get(found, 0.0), weight)

    for label in each.labels:
        add(canonical(label), 1.05)
    add(words, 0.97)
    add(words_of_name(each.name) if _PER.search(each.name) else _without_unit(words_of_name(each.name))[0], 0.95)
    add(canonical(each.title), 0.97)
    add(_agent(each.name, words), 0.95)
    if (plain := _UMLAUT.sub(r"\1", each.name.casefold())) != each.name.casefold():
        add(words_of_name(plain), 0.9)
    for quoted in _QUOTED.findall(each.description[:1000]):
        if not _EXAMPLE.match(quoted):
            add(canonical(quoted), 0.9)
    if (first := _FIRST_WORDS.match(each.description[:200])) is not None:
        said = canonical(first[1])
        head = canonical(re.split(r"\s(?:of|de|von|des|der)\s", first[1])[0])
        if len(head) < len(said) and not set(head) <= GENERIC and not is_known:
            add(head, 0.65)
        less = is_known and set(said) < set(words)  # the name says more
        if not less and (not set(said) <= GENERIC or set(words) <= GENERIC):
            add(said, 0.75)
    return list(phrases.items())


def _of_period(words: Words) -> list[tuple[Words, float]]:
    """The start of a flight may also be labeled `Flight dates` or `Flight period`."""
    rest = tuple(word for word in words if word not in ("from", "to", "start", "end", "date", "period"))
    return [((*rest, "date"), 0.97), ((*rest, "period"), 0.97)] if rest else []


CONCEPT_RIVALS = {
    concept.name: _phrases(concept.labels, 1.0) for concept in BY_NAME.values() if concept.name not in _OF_ROWS
}
"""Phrases of all concepts, to detect that a label means something else."""
