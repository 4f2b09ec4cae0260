"""The built-in engine: rules propose, a small learned judge decides. No network, the same result every time."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from docsieve.domain.extraction import Found, Material, Proposal, Usage
from docsieve.domain.schemas.fields import ITEM, Schema, fields_of
from docsieve.engines.local.description import LOCAL_ENGINE
from docsieve.engines.local.fields.candidates import (
    TYPED,
    Candidate,
    Scene,
    is_one_of_few,
    scene_of,
    typed_candidates,
    without_other_labels,
    without_weak_labels,
)
from docsieve.engines.local.fields.choice import chosen
from docsieve.engines.local.fields.doubts import doubts_of, near_miss, usually_present
from docsieve.engines.local.fields.forms import blanks_of, form_candidates
from docsieve.engines.local.fields.marks import currency_candidates, enum_candidates
from docsieve.engines.local.fields.objections import object_to
from docsieve.engines.local.fields.phrases import Phrases, is_loose, printed_candidates, text_candidates
from docsieve.engines.local.fields.rows import note_rows, places_in_rows
from docsieve.engines.local.fields.spans import spans_of
from docsieve.engines.local.fields.ticks import tick_candidates
from docsieve.engines.local.fields.values import written_text
from docsieve.engines.local.judge.features import features_of
from docsieve.engines.local.judge.judge import Judge, trained
from docsieve.engines.local.lessons.learn import learn
from docsieve.engines.local.lessons.recall import recalled, respell
from docsieve.engines.local.lessons.record import FieldLessons, Lessons, lessons_for
from docsieve.engines.local.lessons.weigh import weigh_lessons
from docsieve.engines.local.lists.schema_lists import list_values
from docsieve.engines.local.page.view import view
from docsieve.engines.local.parties.organizations import organization_candidates
from docsieve.engines.local.parties.roles import Parties
from docsieve.engines.local.parties.towns import town_candidates
from docsieve.engines.local.prose.fields import Prose
from docsieve.engines.local.prose.lists import party_lists
from docsieve.engines.local.sections.blocks import block_candidates
from docsieve.engines.local.sections.heads import head_candidates
from docsieve.engines.local.sections.person import person_candidates
from docsieve.engines.local.vocabulary.matcher import Matcher
from docsieve.engines.local.vocabulary.meanings import akin_labels
from docsieve.engines.local.vocabulary.targets import Target, targets_of
from docsieve.engines.port import Example

_SURE_OF_MISSED, _SURE_OF_UNKNOWN, _SURE_OF_KNOWN = 0.15, 0.45, 0.75
"""How sure it is that a field without a value is absent: one was nearly found, the name of the field is the schema's
own, or the labels of such fields are well known. Confidence is fitted to what these turn out to be worth.
"""

_WELL_FOUND = 0.38
"""If the rules give a candidate at least this score, labels in other words are not looked for."""

_NEAR = 0.1
"""A field without a value whose best candidate is at least this likely says so."""


@dataclass(slots=True)
class Offered:
    """The candidates for each single field, and the values of lists."""

    scene: Scene
    single: list[tuple[Target, list[Candidate]]]
    lists: dict[str, Found]
    taught: Lessons
    features: list[list[float]] = field(default_factory=list)
    """What the judge saw of each candidate, if there are lessons."""


class LocalFields:
    about = LOCAL_ENGINE

    def __init__(self, judge: Judge | None = None) -> None:
        self._judge = judge or trained()

    def propose(
        self, materials: Sequence[Material], schema: Schema, *, lessons: dict[str, Any] | None = None
    ) -> Proposal:
        usage = Usage(pages=sum(len(material.pages) for material in materials))
        offered = self._judged(materials, schema, lessons)
        weigh_lessons(offered)
        return Proposal(_single_values(offered) | offered.lists, usage)

    def learn(self, examples: Sequence[Example], fields: Collection[str] | None = None) -> dict[str, Any]:
        return learn(examples, lambda each, others: self._judged(each.materials, each.schema, others), fields)

    def _judged(self, materials: Sequence[Material], schema: Schema, lessons: dict[str, Any] | None) -> Offered:
        offered = offer(materials, schema, lessons)
        if lessons is not None:
            offered.features = features_of(offered.single, offered.scene)
        self._judge.judge(offered.single, offered.scene)
        return offered


def offer(materials: Sequence[Material], schema: Schema, lessons: dict[str, Any] | None = None) -> Offered:
    """Everything on the pages that could be the value of a field, with the scores of the rules."""
    seen = view(materials)
    targets = targets_of(fields_of(schema))
    scene = scene_of(seen, spans_of(seen), targets)
    phrases = Phrases(seen)
    parties = Parties(scene, phrases)
    prose = Prose(scene)
    taught = lessons_for(lessons, seen)
    single = [target for target in targets if ITEM not in target.field.path]
    filled = form_candidates(single, blanks_of(seen))
    listed = _lists([target for target in targets if ITEM in target.field.path], scene, prose, taught)
    rows = places_in_rows(listed)
    offers = [
        (
            target,
            [filled[path]]
            if (path := target.field.pattern) in filled
            else note_rows(_candidates(target, scene, phrases, parties, prose, taught.of(path)), rows),
        )
        for target in single
    ]
    return Offered(scene, offers, listed, taught)


def _single_values(offered: Offered) -> dict[str, Found]:
    taken = chosen([candidates for _, candidates in offered.single])
    words = frozenset(token for each in taken for token in each.tokens)
    unused = {
        target.field.pattern: [each for each in candidates if not each.tokens & words]
        for target, candidates in offered.single
    }
    found = {
        target.field.pattern: _missed(target, unused[target.field.pattern], offered.scene)
        for target, _ in offered.single
    }
    for each in taken:
        path = each.target.field.pattern
        value = written_text(each.target, each.text, offered.scene.spans)
        if value is not None:
            doubts = doubts_of(each, unused[path], offered.scene)
            found[path] = Found(value, each.score, each.spots, each.why, doubts)
    return found


def _lists(repeated: Sequence[Target], scene: Scene, prose: Prose, lessons: Lessons) -> dict[str, Found]:
    """A table that says more about the same parties than the text goes before it."""
    found = list_values(repeated, scene, lessons.lists)
    for path, named in party_lists(repeated, prose).items():
        listed = {each: cell for each, cell in found.items() if each.startswith(f"{path}[")}
        is_table = any("]." in each for each in listed)
        same = {cell.value for cell in listed.values()} & {cell.value for cell in named.values()}
        if not (is_table and same and len(listed) > len(named)):
            found = {each: cell for each, cell in found.items() if each not in listed} | dict(named)
    return found


def _missed(target: Target, rejected: Sequence[Candidate], scene: Scene) -> Found:
    """A null, with how sure the engine is that the document does not have the field.

    `rejected` are its candidates whose words no other field uses.
    """
    best = max(rejected, key=lambda candidate: candidate.score, default=None)
    if best is not None and best.score >= _NEAR:
        why = f"not certain enough: {best.text[:40]!r}, {best.why}"
        return Found(None, _SURE_OF_MISSED, why=why, doubts=near_miss(best, scene))
    if target.party is not None and target.role == "seller" and any(scene.view.pieces):
        why = f"documents name their sender, but no {target.party} was recognized"
        return Found(None, _SURE_OF_MISSED, why=why, doubts=[usually_present()])
    return Found(None, _SURE_OF_UNKNOWN if target.concept is None and target.party is None else _SURE_OF_KNOWN)


def _candidates(
    target: Target, scene: Scene, phrases: Phrases, parties: Parties, prose: Prose, lessons: FieldLessons
) -> list[Candidate]:
    if lessons.as_text and target.field.kind == "string" and target.party is None:
        target = replace(target, type="text")
    found = _by_words(target, Matcher(target, lessons.labels), scene, phrases, parties, prose, lessons)
    found += town_candidates(target, scene)
    object_to(found, scene)
    if target.concept is None and target.party is None and not any(each.score >= _WELL_FOUND for each in found):
        labels = scene.labeled(target.type).all if target.type in TYPED else phrases.all_labels
        if akin := akin_labels(target, labels):
            matcher = Matcher(target, {**akin, **lessons.labels})
            found = _by_words(target, matcher, scene, phrases, parties, prose, lessons)
            object_to(found, scene)
    return found


def _by_words(
    target: Target,
    matcher: Matcher,
    scene: Scene,
    phrases: Phrases,
    parties: Parties,
    prose: Prose,
    lessons: FieldLessons,
) -> list[Candidate]:
    if target.type in TYPED and target.party is None:
        unlabeled = bool(lessons.guesses) or (target.concept is None and is_one_of_few(target, scene))
        found = typed_candidates(target, matcher, scene, unlabeled=unlabeled)
        if not found and is_one_of_few(target, scene):
            found = without_other_labels(typed_candidates(target, matcher, scene, unlabeled=True), scene)
        found = parties.own_values(target, without_weak_labels(found))
        if is_loose(target) and (target.type == "id" or not any(each.score >= _WELL_FOUND for each in found)):
            whole = {each.tokens for each in found}
            printed = prose.plausible(printed_candidates(target, matcher, phrases))
            found += [each for each in printed if each.tokens not in whole]
        return found + prose.candidates(target, matcher)
    if target.type == "boolean" and (ticks := tick_candidates(target, matcher, phrases)):
        return ticks
    if target.type == "currency":
        return currency_candidates(target, matcher, scene)
    found = parties.candidates(target, matcher) if target.party else text_candidates(target, matcher, phrases)
    found = prose.plausible(found)
    found += prose.candidates(target, matcher)
    if target.type in ("name", "text") and target.concept is None:
        found += [*parties.persons(target), *organization_candidates(target, scene), *person_candidates(target, scene)]
        found += [*head_candidates(target, scene), *block_candidates(target, matcher, phrases, scene)]
    found += recalled(target, lessons, scene)
    respell(found, lessons)
    return enum_candidates(target, found, scene) if target.type == "enum" else found
