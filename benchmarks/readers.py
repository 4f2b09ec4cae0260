"""Our readers of office files, mail and web pages next to maintained libraries, on the same files."""

import json
import statistics
from collections.abc import Sequence
from contextlib import AsyncExitStack
from pathlib import Path

from benchmarks.reader_parts.libraries import LIBRARIES
from benchmarks.reader_parts.process import Answer, ReaderProcess
from benchmarks.reader_parts.words import confirmed_words
from benchmarks.report import Row, Section, Target
from benchmarks.server import BenchServer

CORPUS = Path(__file__).parents[2] / "shared" / "corpora" / "office_mail"
FORMATS: dict[str, tuple[str, ...]] = {
    "docx": (".docx", ".docm"), "doc": (".doc",), "odt": (".odt",), "rtf": (".rtf",), "pptx": (".pptx",),
    "ppt": (".ppt",), "odp": (".odp",), "xlsx": (".xlsx", ".xlsm"), "xls": (".xls",), "xlsb": (".xlsb",),
    "ods": (".ods",), "eml": (".eml",), "msg": (".msg",), "html": (".html",), "epub": (".epub",),
}  # fmt: skip
OURS = "docsieve"
ROUNDS = 3
FILES, RECALL, CONFIRMED, FAILED = "files", "recall %", "confirmed %", "failed"
MILLISECONDS, RATIO = "CPU ms per file", "× docsieve"
COLUMNS = (FILES, RECALL, CONFIRMED, FAILED, MILLISECONDS, RATIO)
METHOD = f"""The documents of the corpus `office_mail`, each reader in a separate process with libraries loaded. A
word counts as confirmed if readers of two independent families found it in a document; kreuzberg and xberg are one
family. Recall: the share of a document's confirmed words that a reader found, 0 if it failed, as a mean over the
documents with confirmed words. Confirmed: the share of a reader's words that are confirmed; a number that only one
reader shows as a person sees it counts against that reader. CPU: median of {ROUNDS} rounds in turns over the documents
that both it and docsieve read, and its ratio to docsieve within a round. docsieve's time includes the layout of pages
with boxes of words, which no other reader makes."""

Answers = dict[str, dict[Path, Answer]]


async def run(_: BenchServer, __: Sequence[str]) -> Section:
    manifest = CORPUS / "MANIFEST.json"
    if not manifest.exists():
        return Section("Readers", "Not measured: the corpora are not next to the repository.", COLUMNS, [])
    listed = [
        CORPUS / entry["file"] for entry in json.loads(manifest.read_text())["files"] if entry["role"] == "document"
    ]
    rows: list[Row] = []
    recalls: dict[str, list[float]] = {}
    async with AsyncExitStack() as stack:
        readers = {name: await stack.enter_async_context(ReaderProcess(name)) for name in LIBRARIES}
        for name, suffixes in FORMATS.items():
            paths = sorted(path for path in listed if path.suffix in suffixes)
            if paths:
                rows += await _compare(name, paths, readers, recalls)
    rows += [Row(f"all: {name}", {RECALL: _percent(found), FILES: len(found)}) for name, found in recalls.items()]
    return Section("Readers", METHOD, COLUMNS, rows, _targets(recalls))


async def _compare(
    name: str, paths: list[Path], readers: dict[str, ReaderProcess], recalls: dict[str, list[float]]
) -> list[Row]:
    """The rows of one format; the recall of each document is added to `recalls`."""
    # The first round loads what a format needs, and is not timed.
    answers = await _read(paths, readers)
    rounds = [await _read(paths, readers) for _ in range(ROUNDS)]
    rows = []
    for reader, found in answers.items():
        recall, confirmed = _scores(reader, answers)
        if LIBRARIES[reader].suffixes is None:
            recalls.setdefault(reader, []).extend(recall)
        figures = {
            FILES: float(len(found)),
            FAILED: float(sum(answer.words is None for answer in found.values())),
            RECALL: _percent(recall),
            CONFIRMED: _percent(confirmed),
            **_speed(reader, rounds),
        }
        rows.append(Row(f"{name}: {reader}", figures))
    return rows


async def _read(paths: list[Path], readers: dict[str, ReaderProcess]) -> Answers:
    answers: Answers = {name: {} for name in readers if any(map(LIBRARIES[name].reads, paths))}
    for path in paths:
        for name in answers:
            if LIBRARIES[name].reads(path):
                answers[name][path] = await readers[name].read(path)
    return answers


def _scores(reader: str, answers: Answers) -> tuple[list[float], list[float]]:
    """Of each document: the share of confirmed words that were found, and of found words that are confirmed."""
    families = {name: library.family for name, library in LIBRARIES.items()}
    recall, precision = [], []
    for path, answer in answers[reader].items():
        read = {name: found[path].words for name, found in answers.items() if path in found}
        confirmed = confirmed_words({name: words for name, words in read.items() if words is not None}, families)
        words = answer.words or frozenset()
        if confirmed:
            recall.append(len(words & confirmed) / len(confirmed))
        if confirmed and words:
            precision.append(len(words & confirmed) / len(words))
    return recall, precision


def _speed(reader: str, rounds: list[Answers]) -> dict[str, float]:
    seconds, ratios = [], []
    for answers in rounds:
        both = [path for path, answer in answers[reader].items() if answer.words and answers[OURS][path].words]
        if not both:
            return {}
        theirs, ours = (sum(answers[name][path].seconds for path in both) for name in (reader, OURS))
        seconds.append(theirs / len(both))
        ratios.append(theirs / ours)
    return {MILLISECONDS: statistics.median(seconds) * 1000, RATIO: statistics.median(ratios)}


def _percent(shares: list[float]) -> float:
    return 100 * statistics.fmean(shares) if shares else 0.0


def _targets(recalls: dict[str, list[float]]) -> list[Target]:
    best = max((_percent(found) for name, found in recalls.items() if name != OURS), default=0.0)
    return [
        Target("recall over all documents, next to the best library for all formats, %", best, _percent(recalls[OURS]))
    ]
