"""The entries of a section: lines from one dated line, bullet or bold line to the next."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from docsieve.engines.local.sections.headings import Line
from docsieve.engines.local.sections.periods import Period, find_period
from docsieve.values.names import company_clue

BULLET = re.compile(r"(?:[•●▪▫◦○‣·»*–—-]|\(?\d{1,2}[.)]|\(?[a-z]\))\s+")
_SENTENCE = re.compile(r"[.!?]$")
_MIN_SENTENCE_WORDS = 5
_MAX_HEAD_LINES = 4
_MAX_LEAD = 3
_INDENT = 0.6
_WIDE_GAP = 1.6


@dataclass(frozen=True, slots=True)
class Entry:
    """`head` are the lines that say what and when, `body` those that describe it."""

    head: list[Line]
    body: list[Line]
    period: tuple[Line, Period] | None = None


def is_bullet(line: Line) -> bool:
    return BULLET.match(line.text) is not None


def dated_entries(lines: Sequence[Line]) -> list[Entry]:
    """Each entry has a line with its date, as many lines after its beginning as in the first entry."""
    told = [_describes(line, lines) for line in lines]
    periods = [None if skipped else find_period(line.text) for line, skipped in zip(lines, told, strict=True)]
    anchors = [at for at, period in enumerate(periods) if period is not None]
    if not anchors or anchors[0] > _MAX_LEAD:
        return []
    lead = anchors[0]
    starts: list[int] = []
    for before, anchor in zip([-1, *anchors], anchors, strict=False):
        start = max(anchor - lead, before + 1)
        while start < anchor and told[start]:
            start += 1
        if starts and lead and start == anchor:
            continue  # a second date of the same entry
        starts.append(start)
    entries = []
    for start, end in zip(starts, [*starts[1:], len(lines)], strict=True):
        period = next(((lines[at], found) for at in range(start, end) if (found := periods[at]) is not None), None)
        head = start
        last = next(at for at in range(start, end) if periods[at] is not None)
        while head < end and head - start < _MAX_HEAD_LINES and (not told[head] or head <= last):
            head += 1
        entries.append(Entry(list(lines[start:head]), list(lines[head:end]), period))
    return entries


def _describes(line: Line, lines: Sequence[Line]) -> bool:
    """Whether a line describes the entry: a bullet, an indented line, or a sentence."""
    if is_bullet(line):
        return True
    words = line.text.split()
    lower = sum(word[:1].islower() for word in words)
    sentence = len(words) >= _MIN_SENTENCE_WORDS and lower * 3 >= len(words)
    if sentence and company_clue(line.text) < 1 and (_SENTENCE.search(line.text) or len(words) > 9):
        return True
    return line.left - min(each.left for each in lines) > _INDENT * line.page.height and find_period(line.text) is None


def plain_entries(lines: Sequence[Line]) -> list[list[Line]]:
    """Groups of lines that are one item each: from bullet to bullet, or one line with the lines that go on with it."""
    bulleted = sum(map(is_bullet, lines)) * 2 > len(lines) or (bool(lines) and is_bullet(lines[0]))
    found: list[list[Line]] = []
    for line in lines:
        goes_on = not is_bullet(line) if bulleted else _goes_on(line, found[-1][-1]) if found else False
        if found and goes_on:
            if bulleted and (
                line.gap > _WIDE_GAP * line.page.height
                or line.left < found[-1][0].left - 1
                or _apart(line, found[-1][-1])
            ):
                break
            found[-1].append(line)
        elif not (bulleted and not is_bullet(line)):
            found.append([line])
    return found


def _apart(line: Line, before: Line) -> bool:
    """Whether a line under a bullet at its left edge begins running text instead of going on with it."""
    return line.left <= before.left + 1 and line.text[:1].isupper() and len(line.text.split()) >= _MIN_SENTENCE_WORDS


def _goes_on(line: Line, before: Line) -> bool:
    return line.text[:1].islower() or before.text.endswith((",", "-", "–", "and", "und", "&"))
