"""How well searches find, and how long they take among ten thousand and a hundred thousand chunks."""

from collections.abc import Sequence

from benchmarks.report import Row, Section, Target
from benchmarks.searches import load, quality
from benchmarks.server import BenchServer
from docsieve.db.connection.migrate import migrate
from docsieve.db.connection.session import Database
from docsieve.services.index.search import WEIGHTS

FEW, MANY = 10_000, 100_000
NDCG, MEDIAN, SLOW, GROWTH = "nDCG@10", "p50 ms", "p95 ms", "p50, times 10,000's"
COLUMNS = (NDCG, MEDIAN, SLOW, GROWTH)
METHOD = f"""Relevance: the 1,500 texts and 150 questions of SciFact's small set, cut into chunks, indexed and searched
as documents are, with the local embedder; by each ranking alone and fused with the weights {dict(WEIGHTS)}; beside a
plain BM25 over whole texts in Python (lower-case words, no stems). Left out where the corpus is absent. Latency: chunks
of {load.CHUNK_WORDS} made-up words, Zipf-distributed over {load.WORDS:,}, in {len(load.SHARES)} tenants that hold
{", ".join(f"{share:.0%}" for share in load.SHARES)} of them; questions of five words drawn the same way, so mostly
common ones, one in ten misspelt; one search after another in this process, without HTTP, on the durable PostgreSQL of
the run."""


async def run(server: BenchServer, _: Sequence[str]) -> Section:
    rows, targets = await _relevance(server)
    async with server.fresh_database("search") as url:
        await migrate(url)
        database = await Database.open(url)
        try:
            texts = load.MadeUpTexts(database)
            for chunks in (FEW, MANY):
                await texts.grow_to(chunks)
                median, slow = load.percentiles(await texts.latencies())
                rows.append(Row(f"{chunks:,} chunks", {MEDIAN: median, SLOW: slow}))
        finally:
            await database.close()
    rows[-1].figures[GROWTH] = growth = rows[-1].figures[MEDIAN] / rows[-2].figures[MEDIAN]
    targets.append(Target("growth of p50 for ten times the chunks", 5, growth, at_most=True))
    return Section("Search", METHOD, COLUMNS, rows, targets)


async def _relevance(server: BenchServer) -> tuple[list[Row], list[Target]]:
    if not quality.CORPUS.exists():
        return [], []
    async with server.fresh_database("search") as url:
        await migrate(url)
        database = await Database.open(url)
        try:
            figures = await quality.measure(database, quality.read_corpus())
        finally:
            await database.close()
    rows = [Row(name, {NDCG: figure}) for name, figure in figures.items()]
    return rows, [Target("nDCG@10 of the default, beside 0.775 of a plain BM25", 0.80, figures["fused"])]
