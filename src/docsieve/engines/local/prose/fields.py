"""Values of fields in running text: `a deposit of $2,775.00 as security`, `for a period of two (2) years`."""

import re
from collections.abc import Iterator
from dataclasses import replace
from functools import cached_property

from docsieve.engines.local.fields.candidates import Candidate, Scene, identities
from docsieve.engines.local.page.view import spot
from docsieve.engines.local.prose.addresses import addresses, asks_for_address
from docsieve.engines.local.prose.mentions import Mention, Mentions
from docsieve.engines.local.prose.names import Party
from docsieve.engines.local.prose.parties import dated, introduced, letter_date, role_score
from docsieve.engines.local.prose.quantities import quantities
from docsieve.engines.local.prose.questions import Questions
from docsieve.engines.local.prose.signatures import SIGNED_BY, TITLED, Signer, signers, signing_dates
from docsieve.engines.local.prose.stamps import ASKED as STAMPED
from docsieve.engines.local.prose.stamps import stamped, when_signed
from docsieve.engines.local.prose.statements import notes, statements
from docsieve.engines.local.prose.text import RunningText
from docsieve.engines.local.prose.topics import EFFECTIVE, TOPICS, Kind, Topic
from docsieve.engines.local.vocabulary.canon import canonical
from docsieve.engines.local.vocabulary.lexicon import GENERIC
from docsieve.engines.local.vocabulary.matcher import Matcher
from docsieve.engines.local.vocabulary.targets import Target, Words
from docsieve.values.durations import Duration, unit_named

NAMED = 0.88
FOLLOWED = 0.8
WORDED = 0.9
HEADED = 0.72
LETTER_DATE = 0.6
DATED = 0.55
_AGAINST = 0.55
_LATER = 0.5
_UNDER_HEADING = 3
_LATE = 6_000
_ORDER = 0.004
_MIN_SCORE = 0.3
_MAX_WINDOW = 4
_CLAUSE_END = re.compile(r"[,;](?=\s)")
_FAR = 0.03
_NEXT_SIGNER = 0.03
_KINDS: dict[str, tuple[Kind, ...]] = {
    "date": ("date",), "amount": ("amount",), "number": ("amount", "number"), "integer": ("amount", "number"),
    "percent": ("percent",), "time": ("time",), "phone": ("phone",), "email": ("email",), "iban": ("iban",),
    "id": ("id",), "name": ("name",), "person": ("name",), "text": ("name",),
}  # fmt: skip
_LASTING = frozenset(("period", "time", "term", "duration", "notice", "guarantee", "validity", "length", "deadline"))
_TEXT = frozenset(("text", "name", "country", "id", "enum"))


class Prose:
    """What the sentences of a document say, for all fields."""

    def __init__(self, scene: Scene) -> None:
        self.view = scene.view
        self.running = RunningText(scene.view)
        self._mentions = Mentions(self.running, scene.spans)
        self._scene = scene
        self._questions = Questions(scene)

    @cached_property
    def parties(self) -> list[Party]:
        return introduced(self.running, self._scene.view)

    @cached_property
    def _signers(self) -> list[Signer]:
        return signers(self._scene.view)

    def plausible(self, candidates: list[Candidate]) -> list[Candidate]:
        """Without questions, which never answer another one, and without the rest of a sentence as the value of its
        first words."""
        found = self._questions.without_labels(candidates)
        return [
            each
            for each in found
            if not (_follows_label(each) and self.running.goes_on(each.tokens))
            and not (_is_letterhead(each) and self.running.has_in_sentence(each.tokens))
        ]

    def candidates(self, target: Target, matcher: Matcher) -> list[Candidate]:
        asked = _asked(target)
        return [*self._on_form(target, matcher, asked), *self._in_sentences(target, matcher, asked)]

    def _on_form(self, target: Target, matcher: Matcher, asked: str) -> Iterator[Candidate]:
        yield from self._questions.candidates(target, matcher)
        yield from quantities(target, matcher, self._scene)
        if asks_for_address(target):
            yield from addresses(target, matcher, self._scene, self.running)
        if target.type == "boolean":
            yield from notes(target, self._scene)
        elif target.type == "date":
            if STAMPED.search(asked):
                yield from stamped(target, self._scene)
                yield from when_signed(target, signing_dates(self._signers, self._scene))
        elif SIGNED_BY.search(asked) and target.type in _TEXT:
            for at, signer in enumerate(self._signers):
                part = signer.title if TITLED.search(asked) else signer.name
                if part is not None:
                    score, page = signer.score - _NEXT_SIGNER * at, part.piece.page
                    yield Candidate(
                        target,
                        part.text,
                        [spot(part.tokens, part.piece)],
                        score,
                        f"{signer.why} on page {page}",
                        "mark",
                        identities(part.tokens),
                        match=score,
                    )

    def _in_sentences(self, target: Target, matcher: Matcher, asked: str) -> list[Candidate]:
        if not self.running.sentences:
            return []
        if target.type == "boolean":
            return list(statements(target, self.running))
        topics = [topic for topic in TOPICS if topic.asked.search(asked)]
        own = Matcher(replace(target, known={}, concept=None, role=None, party=None))
        found: list[Candidate] = []
        for kind in _kinds(target, topics, asked):
            about = [topic for topic in topics if topic.kind == kind]
            for number, mention in enumerate(self._mentions.of(kind)):
                score, why = _score(mention, about, own)
                score -= _ORDER * min(number, 20)
                if score >= _MIN_SCORE:
                    found.extend(self._candidate(target, mention, score, why, asked))
        if target.type in ("name", "text", "person") and target.party != "address":
            found += self._named(target, matcher)
        if not found and any(topic.kind == "date" and topic.early for topic in topics) and target.type == "date":
            found += self._head_date(target, asked)
        return found

    def _candidate(self, target: Target, mention: Mention, score: float, why: str, asked: str) -> Iterator[Candidate]:
        text = mention.text
        if isinstance(mention.value, Duration):
            text = mention.value.text
            if target.field.kind in ("number", "integer"):
                unit = unit_named(asked)
                count = mention.value.measured_in(unit) if unit is not None else None
                if count is None or count.denominator != 1:
                    return
                text = str(count.numerator)
        yield self._placed(target, text, mention.start, mention.end, score, why)

    def _placed(self, target: Target, text: str, start: int, end: int, score: float, why: str) -> Candidate:
        tokens = [token for token, _ in self.running.words(start, end)]
        page = self.running.page_of(start)
        spots = self.running.spots(start, end)
        return Candidate(
            target, text, spots, score, f"{why} on page {page}", "sentence", identities(tokens), match=score
        )

    def _named(self, target: Target, matcher: Matcher) -> Iterator[Candidate]:
        for party in self.parties:
            for role, _, _ in party.roles:
                score = role_score(target, matcher, role) * NAMED
                if score >= _MIN_SCORE:
                    name = party.name
                    yield self._placed(target, name.text, name.start, name.end, score, f"named as '{role[:40]}'")

    def _head_date(self, target: Target, asked: str) -> Iterator[Candidate]:
        """The date of a letter, the date under the title, or the day on which all have signed."""
        found, score, why = letter_date(self.running), LETTER_DATE, "date of the letter"
        if found is None and EFFECTIVE.search(asked):
            found, score, why = dated(self.running), DATED, "date at the head"
        if found is not None:
            text = self.running.text[slice(*found)]
            yield self._placed(target, text, *found, score, why)
        elif EFFECTIVE.search(asked):
            yield from self._day_of_signing(target)

    def _day_of_signing(self, target: Target) -> Iterator[Candidate]:
        days = list(signing_dates(self._signers, self._scene))
        if len({str(span.value) for span in days}) == 1:
            yield from when_signed(target, days[:1])


def _follows_label(candidate: Candidate) -> bool:
    return candidate.span is None and candidate.clue is not None and candidate.clue.where == "after"


def _is_letterhead(candidate: Candidate) -> bool:
    """Whether a candidate is a line of text as the name of a party, with words that no name has."""
    plain = any(word.islower() and len(word) > 3 for word in candidate.text.split())
    return candidate.target.party == "name" and candidate.clue is None and plain


def _asked(target: Target) -> str:
    field = target.field
    return f"{field.name.replace('_', ' ')} {field.title} {field.description[:300]}"


def _kinds(target: Target, topics: list[Topic], asked: str) -> Iterator[Kind]:
    if target.party is not None:
        return
    yield from _KINDS.get(target.type, ())
    if (target.type in _TEXT or (target.type == "time" and target.is_guessed)) and _lasts(target):
        yield "duration"
    if target.type in _TEXT:
        yield from {topic.kind for topic in topics} & {"law"}
    elif target.type in ("number", "integer") and unit_named(asked) is not None:
        yield "duration"


def _lasts(target: Target) -> bool:
    """Whether a field is about how long something takes or holds."""
    said = {word for phrase, _ in target.own for word in phrase}
    return bool(said & _LASTING) or any(
        topic.kind == "duration" for topic in TOPICS if topic.asked.search(_asked(target))
    )


def _score(mention: Mention, topics: list[Topic], own: Matcher) -> tuple[float, str]:
    """How well the words around a value fit the field, by its topics and by its own words."""
    best, why = _worded(mention, own)
    if topics and all(_is_against(topic, mention) for topic in topics):
        best *= _AGAINST
    for topic in topics:
        for cue, weight in topic.cues:
            if (found := cue.search(mention.before)) is not None:
                score = weight * (_LATER if topic.early and mention.start > _LATE else 1.0)
                score *= _AGAINST if _is_against(topic, mention) else 1.0
                if score > best:
                    best, why = score, f"after '{found.group().strip()[:40]}'"
        followed = topic.after is not None and topic.after.match(mention.after) is not None
        if followed and best < FOLLOWED and not _is_against(topic, mention):
            best, why = FOLLOWED, f"before '{mention.after.strip()[:40]}'"
        if topic.asked.search(mention.sentence.heading) and mention.first and mention.sentence.since < _UNDER_HEADING:
            score = HEADED * (_AGAINST if _is_against(topic, mention) else 1.0)
            best, why = (best + 0.05, why) if best > score else (score, f"under '{mention.sentence.heading[:40]}'")
    return min(best, 0.97), why


def _is_against(topic: Topic, mention: Mention) -> bool:
    clause = _CLAUSE_END.split(mention.before[-60:])[-1]
    around = f"{clause}{mention.text}{mention.after[:25]}"
    if topic.aside is not None and topic.aside.search(f"{mention.sentence.heading} {mention.before} {mention.after}"):
        return True
    return topic.against is not None and topic.against.search(around) is not None


def _worded(mention: Mention, own: Matcher) -> tuple[float, str]:
    """The field's own words near the value: before it, after it, on both sides, or as its defined term."""
    if not own.beginnings & mention.beginnings:
        return 0.0, ""
    before, after = canonical(mention.before[-90:]), canonical(mention.after[:30])
    best, shown = 0.0, ""
    for distance, window in _windows(before):
        score = own.score(window) * (1 - _FAR * distance)
        if score > best:
            best, shown = score, " ".join(window)
    around = (*before[-3:], *after[:2])
    heading = canonical(mention.sentence.heading) if mention.first and mention.sentence.since < _UNDER_HEADING else ()
    itself = canonical(mention.text) if isinstance(mention.value, Duration) else ()
    for window, worth in (
        ((*itself, *after[:2]), 0.9),
        (around, 1.0),
        (after[:2], 0.8),
        (after[:1], 0.8),
        (after[:4], 0.75),
        (heading, HEADED),
    ):
        score = own.score(window) * worth if _specific(window) else 0.0
        if score > best:
            best, shown = score, " ".join(window)
    return best * WORDED, f"in a sentence about '{shown[:40]}'"


def _windows(words: Words) -> Iterator[tuple[int, Words]]:
    """Runs of words, each with its distance from the end. None begins after a word that reverses it: `without tax`."""
    for end in range(len(words), 0, -1):
        for size in range(1, min(_MAX_WINDOW, end) + 1):
            window = words[end - size : end]
            if _specific(window) and words[end - size - 1 : end - size] != ("excluding",):
                yield len(words) - end, window


def _specific(words: Words) -> bool:
    return any(word not in GENERIC and len(word) > 2 for word in words)
