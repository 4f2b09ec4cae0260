"""Looks up the words of a query in a tenant's vocabulary: their frequency, and similar spellings."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from docsieve.analysis.search import ranking, terms
from docsieve.analysis.search.query import Query, nearest_spelling
from docsieve.analysis.search.ranking import Asked
from docsieve.db.connection.session import Session
from docsieve.db.index import search
from docsieve.db.index.search import Statistics

# Only the rarest words of a query are looked up by trigrams, which is the slowest part of a search.
_LOOKED_UP = 6
_MIN_SIMILARITY = 0.4
_MAX_SIMILAR = 4
_MAX_SPELLINGS = 12


@dataclass(frozen=True, slots=True)
class Meant:
    """`words` are the query's words, with misspelled ones corrected; `similar` adds words with similar spelling."""

    words: list[Asked]
    similar: list[Asked]
    corrections: dict[str, str]
    salted: int
    chunks: int
    mean_length: float
    having: Mapping[int, int]
    stemmings: Sequence[str]

    def frequency(self, term: int) -> int:
        return self.having.get(term, 0)

    def rare(self, most: int) -> list[int]:
        """Terms that occur in at most `most` chunks in total, the query's own words first. Never without the rarest."""
        chosen: list[int] = []
        for asked, allowance in ((self.words, most), (self.similar, most // 2)):
            present = {term for word in asked for term in word.terms if self.frequency(term)} - set(chosen)
            for term in sorted(present, key=self.frequency):
                allowance -= self.frequency(term)
                if chosen and allowance < 0:
                    break
                chosen.append(term)
        return chosen

    def every(self) -> list[int]:
        return list({term for word in self.similar for term in word.terms if self.frequency(term)})

    def rarest_pair(self) -> list[int]:
        """Terms of the two rarest words; none if a word has several terms."""
        if any(len(word.terms) > 1 for word in self.words) or len(self.words) < 2:
            return []
        return sorted((term for word in self.words for term in word.terms if self.frequency(term)), key=self.frequency)[
            :2
        ]

    def required(self, query: Query) -> list[int]:
        """Terms that a result must contain because they are quoted. If stems differ, only the text can confirm it."""
        if len(self.stemmings) != 1:
            return []
        words = [*query.exact, *(word for phrase in query.phrases for word in phrase)]
        return [terms.term(stem, self.salted) for stem in dict.fromkeys(terms.stems(words, self.stemmings[0]))]

    @property
    def worth(self) -> dict[int, float]:
        """The weight of each term in a snippet."""
        return {term: share * word.rarity for word in reversed(self.similar) for term, share in word.terms.items()}


async def understand(session: Session, query: Query) -> Meant:
    salted = terms.salt(session.scope.tenant_id)
    stemmings = await search.stemmings(session)
    own = {word: _terms(word, stemmings, salted) for word in query.words}
    known = await search.statistics(session, list({term for each in own.values() for term in each}))
    frequency = {word: sum(known.having.get(term, 0) for term in each) for word, each in own.items()}
    spelt = sorted(
        (word for word in query.words if terms.is_spelt(word) and word not in query.exact),
        key=lambda word: frequency[word],
    )
    unknown = {word for word in spelt if not frequency[word]}
    alike, having = await _alike(session, spelt[:_LOOKED_UP], unknown, known)
    corrections: dict[str, str] = {}
    words, similar = [], []
    for word in query.words:
        meant = own[word]
        near = {each: number for each, number, _ in alike.get(word, ()) if having.get(number)}
        if not frequency[word] and (right := nearest_spelling(word, near)) is not None:
            corrections[word] = right
            meant = {near[right]: 1.0}
        words.append(_asked(meant, known.chunks, having))
        wider = {
            number: share for _, number, share in reversed(alike.get(word, ())) if share >= _MIN_SIMILARITY
        } | meant
        similar.append(_asked(wider, known.chunks, having))
    return Meant(words, similar, corrections, salted, known.chunks, known.mean_length, having, stemmings)


def _terms(word: str, stemmings: Sequence[str], salted: int) -> dict[int, float]:
    return {terms.term(terms.stems([word], how)[0], salted): 1.0 for how in stemmings}


async def _alike(
    session: Session, words: Sequence[str], unknown: Collection[str], known: Statistics
) -> tuple[dict[str, list[tuple[str, int, float]]], dict[int, int]]:
    """Words of the tenant with similar spelling, with their terms and similarity, and the frequency of each term.

    For words that occur nowhere, more and less similar ones are considered, because one of them may be meant.
    """
    if not words:
        return {}, dict(known.having)
    alike: dict[str, list[tuple[str, int, float]]] = {}
    for asked, word, number, share in await search.similar_words(session, words, each=_MAX_SPELLINGS):
        near = alike.setdefault(asked, [])
        if asked in unknown or (share >= _MIN_SIMILARITY and len(near) < _MAX_SIMILAR):
            near.append((word, number, share))
    new = {number for each in alike.values() for _, number, _ in each} - known.having.keys()
    more = await search.statistics(session, list(new)) if new else None
    return alike, {**known.having, **(more.having if more else {})}


def _asked(meant: Mapping[int, float], chunks: int, having: Mapping[int, int]) -> Asked:
    return Asked(meant, ranking.rarity(chunks, sum(having.get(term, 0) * share for term, share in meant.items())))
