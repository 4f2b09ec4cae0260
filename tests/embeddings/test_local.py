"""The embedder that needs neither network nor settings."""

import asyncio
import math
from concurrent.futures import ThreadPoolExecutor
from itertools import islice, product
from json import loads
from pathlib import Path
from threading import Barrier

import numpy
import pytest

from docsieve.domain.pages.texts import CountedTexts
from docsieve.embeddings.local import DIMENSIONS, LocalEmbedder, _loaded, _model, embed_now

SCIFACT = Path(__file__).parents[3] / "shared" / "corpora" / "ir_scifact_small"


def test_the_words_of_a_text_count_and_not_its_punctuation() -> None:
    plain, dressed = embed_now(["payment is due", '("Payment"), is: due!'.lower()])
    assert numpy.allclose(plain, dressed, atol=1e-5)


def test_a_process_that_has_met_too_many_words_forgets_and_goes_on() -> None:
    (before,) = embed_now(["the quick brown fox"])
    words = ["".join(letters) for letters in islice(product("abcdefghijklmnop", repeat=4), 52_000)]
    embed_now([" ".join(words[start : start + 4_000]) for start in range(0, len(words), 4_000)])
    (after,) = embed_now(["the quick brown fox"])
    assert numpy.allclose(before, after, atol=1e-6)


async def test_texts_embedded_at_the_same_time_do_not_disturb_each_other() -> None:
    texts = [" ".join(f"part{at}of{number}" for at in range(300)) for number in range(40)]
    embedder = LocalEmbedder()
    together = await asyncio.gather(*(embedder.embed([text]) for text in texts))
    assert numpy.allclose(embed_now(texts), numpy.concatenate(together), atol=1e-5)
    _loaded.cache_clear()
    assert numpy.allclose(embed_now(texts), numpy.concatenate(together), atol=1e-5)


def test_threads_that_need_the_model_at_once_load_it_once() -> None:
    _loaded.cache_clear()
    all_there = Barrier(8)

    def use(_: int) -> int:
        all_there.wait()
        return id(_model())

    with ThreadPoolExecutor(8) as threads:
        assert len(set(threads.map(use, range(8)))) == 1


def test_texts_that_were_counted_before_have_the_same_vectors_and_count_as_far() -> None:
    texts = ["Payment, due: payment due.", "", "word " * 9_000 + "end"]
    counted = CountedTexts(texts)
    assert len(counted.pieces) == 3
    assert numpy.array_equal(embed_now(counted), embed_now(texts))
    assert numpy.array_equal(embed_now(counted)[2], embed_now(["word " * 6_553 + "wor"])[0])


def test_lone_surrogates_are_embedded_without_complaint() -> None:
    assert embed_now(["broken \ud800 text"]).shape == (1, DIMENSIONS)


@pytest.mark.skipif(not SCIFACT.is_dir(), reason="the corpora are not next to the repository")
def test_its_vectors_alone_rank_scientific_abstracts_usefully() -> None:
    texts = {item["_id"]: f"{item['title']}\n{item['text']}" for item in map(loads, _lines("corpus.jsonl"))}
    queries = {item["_id"]: item["text"] for item in map(loads, _lines("queries.jsonl"))}
    relevant: dict[str, dict[str, int]] = {}
    for line in _lines(str(next((SCIFACT / "qrels").iterdir()).relative_to(SCIFACT)))[1:]:
        query, document, grade = line.split("\t")
        relevant.setdefault(query, {})[document] = int(grade)
    asked = [query for query in queries if query in relevant]
    scores = embed_now([queries[query] for query in asked]) @ embed_now(list(texts.values())).T
    names = list(texts)
    gains = [
        _ndcg([relevant[query].get(names[at], 0) for at in numpy.argsort(-row)[:10]], list(relevant[query].values()))
        for query, row in zip(asked, scores, strict=True)
    ]
    assert sum(gains) / len(gains) > 0.67


def _lines(name: str) -> list[str]:
    return (SCIFACT / name).read_text().splitlines()


def _ndcg(found: list[int], all_grades: list[int]) -> float:
    def discounted(grades: list[int]) -> float:
        return sum(grade / math.log2(at + 2) for at, grade in enumerate(grades[:10]))

    ideal = discounted(sorted(all_grades, reverse=True))
    return discounted(found) / ideal if ideal else 0.0
