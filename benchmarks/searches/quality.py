"""Search relevance on SciFact: the real index and search, each ranking alone and all fused, beside a plain BM25."""

import json
import math
import re
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.searches.tenants import add_document, new_tenant
from docsieve.analysis.search.chunks import chunk_pages
from docsieve.db.connection.session import Database
from docsieve.domain.pages.page import Line, Page
from docsieve.embeddings.known import KnownEmbedders
from docsieve.services.index import search
from docsieve.services.index.search import Ranking

CORPUS = Path(__file__).parents[3] / "shared" / "corpora" / "ir_scifact_small"
CUT = 10
_LINE_CHARACTERS, _LINE_POINTS = 100, 12.0


@dataclass(frozen=True)
class Judged:
    """Texts with a title by their ids, questions, and which texts answer which question."""

    texts: dict[str, tuple[str, str]]
    questions: dict[str, str]
    answers: dict[str, dict[str, int]]


def read_corpus() -> Judged:
    texts = {each["_id"]: (each["title"], each["text"]) for each in _lines(CORPUS / "corpus.jsonl")}
    answers: dict[str, dict[str, int]] = {}
    for row in (CORPUS / "qrels" / "test.tsv").read_text().splitlines()[1:]:
        question, text, grade = row.split("\t")
        answers.setdefault(question, {})[text] = int(grade)
    questions = {each["_id"]: each["text"] for each in _lines(CORPUS / "queries.jsonl") if each["_id"] in answers}
    return Judged(texts, questions, answers)


def _lines(path: Path) -> list[dict[str, str]]:
    return [json.loads(line) for line in path.read_text().splitlines()]


async def measure(database: Database, judged: Judged) -> dict[str, float]:
    """nDCG@10 by ranking."""
    from docsieve.embeddings.local import LocalEmbedder

    known = KnownEmbedders(LocalEmbedder())
    tenant = await new_tenant(database, "scifact")
    names = {}
    for name, (title, text) in judged.texts.items():
        names[await add_document(database, known, tenant, list(chunk_pages([_page(title, text)])))] = name
    weighted: dict[str, Mapping[Ranking, float]] = {part: {part: 1.0} for part in search.WEIGHTS}
    weighted["fused"] = search.WEIGHTS
    figures = {"plain BM25 in Python": _mean(judged, _plain_bm25(judged))}
    for label, weights in weighted.items():
        ranked = {}
        for question, text in judged.questions.items():
            found = await search.find(database, known, tenant.scope, text, limit=3 * CUT, weights=weights)
            ranked[question] = list(dict.fromkeys(names[hit.document_id] for hit in found.hits))
        figures[label] = _mean(judged, ranked)
    return figures


def _page(title: str, text: str) -> Page:
    rows = re.findall(rf"\S.{{0,{_LINE_CHARACTERS}}}(?=\s|$)", text)
    lines = [Line(title, (0, 0, 500, _LINE_POINTS), block=0, role="heading")]
    for at, row in enumerate(rows, 1):
        lines.append(Line(row, (0, at * _LINE_POINTS, 500, (at + 1) * _LINE_POINTS), block=1))
    return Page(1, 612, (len(lines) + 1) * _LINE_POINTS, lines)


def _mean(judged: Judged, ranked: Mapping[str, Sequence[str]]) -> float:
    return sum(_ndcg(ranked[each], judged.answers[each]) for each in judged.questions) / len(judged.questions)


def _ndcg(ranked: Sequence[str], grades: Mapping[str, int]) -> float:
    def gain(values: Sequence[int]) -> float:
        return sum((2.0**grade - 1) / math.log2(place + 2) for place, grade in enumerate(values[:CUT]))

    return gain([grades.get(each, 0) for each in ranked]) / gain(sorted(grades.values(), reverse=True))


def _plain_bm25(judged: Judged) -> dict[str, list[str]]:
    """The textbook's: lower-case words, no stems, k1 = 1.2, b = 0.75."""
    counts = {name: Counter(_words(" ".join(parts))) for name, parts in judged.texts.items()}
    having = Counter(word for each in counts.values() for word in each)
    lengths = {name: sum(each.values()) for name, each in counts.items()}
    mean = sum(lengths.values()) / len(lengths)
    ranked = {}
    for question, text in judged.questions.items():
        scores: dict[str, float] = defaultdict(float)
        for word in _words(text):
            rarity = math.log(1 + (len(counts) - having[word] + 0.5) / (having[word] + 0.5))
            for name, each in counts.items():
                if word in each:
                    bulk = 1.2 * (0.25 + 0.75 * lengths[name] / mean)
                    scores[name] += rarity * each[word] * 2.2 / (each[word] + bulk)
        ranked[question] = sorted(scores, key=scores.__getitem__, reverse=True)[:CUT]
    return ranked


def _words(text: str) -> list[str]:
    return re.findall(r"\w+", text.lower())
