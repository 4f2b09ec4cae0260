"""Finds values in separate pieces, such as an address in one column, with another column read in between."""

from docsieve.analysis.proof.grounding.words import WordIndex
from docsieve.domain.pages.page import Box

_MAX_STARTS = 12
_MAX_PIECES = 8
_REACH = 900
_MIN_SHARE = 0.85
_LINES_APART = 3.5


def pieces_of(index: WordIndex, runs: list[str]) -> list[tuple[tuple[int, ...], float]]:
    """Words that together contain all runs of a value in order, each piece near and below the previous one.

    A few short runs may be missing (such as a comma read as a letter). The score is the share that was found.
    """
    found = []
    for start in index.tokens.get(runs[0], ())[:_MAX_STARTS] or index.tokens.get(runs[1], ())[:_MAX_STARTS]:
        first = 0 if index.text.startswith(runs[0], start) else 1
        words, matched = _follow(index, runs, first, start)
        share = matched / sum(len(run) for run in runs)
        if share >= _MIN_SHARE and _digits_kept(index, runs, words):
            found.append((tuple(words), 0.95 * share))
    best = max((score for _, score in found), default=0.0)
    return [each for each in found if each[1] == best][:1]


def _follow(index: WordIndex, runs: list[str], run: int, place: int) -> tuple[list[int], int]:
    words: list[int] = []
    matched = pieces = 0
    while run < len(runs):
        if index.text.startswith(runs[run], place) and index.edges[place]:
            word = index.word_at(place)
            if not words or words[-1] != word:
                words.append(word)
            matched += len(runs[run])
            place += len(runs[run])
            run += 1
            continue
        pieces += 1
        onward = _next(index, runs[run], place, index.words[words[-1]].box, index.words[words[-1]].page)
        if onward is None:
            run += 1
        else:
            place = onward
        if pieces > _MAX_PIECES:
            break
    return words, matched


def _next(index: WordIndex, run: str, place: int, box: Box, page: int) -> int | None:
    onward = index.text.find(run, place, place + _REACH)
    height = box[3] - box[1]
    while onward >= 0:
        word = index.words[index.word_at(onward)]
        near = -0.5 * height <= word.box[1] - box[1] <= _LINES_APART * height
        if index.edges[onward] and index.edges[onward + len(run)] and word.page == page and near:
            return onward
        onward = index.text.find(run, onward + 1, place + _REACH)
    return None


def _digits_kept(index: WordIndex, runs: list[str], words: list[int]) -> bool:
    said = "".join(each for run in runs for each in run if each.isdigit())
    there = "".join(each for word in words for each in index.words[word].text if each.isdigit())
    return said == there
