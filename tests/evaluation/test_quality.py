"""A handful of real documents from each set that has a target, so that quality cannot fall without a word.

`make eval` measures all of them; the floors here are lower, because a handful is.
"""

import pytest
from benchmarks.quality import CORPORA, SETS, Corpus, plan_of

from docsieve.domain.extraction import ExtractionSpec
from docsieve.evaluation.evaluate import evaluate
from docsieve.evaluation.runs import Run
from docsieve.offline.session import open_session
from docsieve.settings import Settings

HANDFUL = {"kie_sroie": (4, 0.7), "kie_zugferd": (6, 0.7), "kie_adbuy": (6, 0.7)}
SCANNED = frozenset({"kie_sroie", "kie_adbuy"})
CASES = [
    pytest.param(each, marks=[pytest.mark.slow] if each.name in SCANNED else [], id=each.name)
    for each in SETS
    if each.name in HANDFUL
]


@pytest.mark.skipif(not CORPORA.is_dir(), reason="the documents in ../shared/corpora are not here")
@pytest.mark.parametrize("corpus", CASES)
async def test_a_handful_of_real_documents_is_extracted_well(corpus: Corpus) -> None:
    documents, floor = HANDFUL[corpus.name]
    run = await _measured(corpus, documents)
    assert run.failed == 0
    assert run.header.f1 >= floor
    assert run.total.evidence is not None
    assert run.total.evidence >= 0.95
    assert run.total.grounding is None or run.total.grounding >= 0.8


async def _measured(corpus: Corpus, documents: int) -> Run:
    async with open_session(Settings(), cache=None, processes=2) as session:
        plan = plan_of(corpus, ExtractionSpec({}), limit=documents)
        return await evaluate(session, plan, dataset=corpus.name, schema=corpus.name, step=lambda *_: None)
