"""Detects Markdown from marks that plain prose rarely has: at least two kinds of them, or many."""

import re
from itertools import pairwise

_HEADING = re.compile(r"#{1,6} +\S")
_FENCE = re.compile(r"(?:```|~~~)[\w+#.-]*\s*\Z")
_ITEM = re.compile(r"\s{0,6}(?:[-*+]|\d{1,3}[.)]) +\S")
_LINK = re.compile(
    r"!?\[[^\]\n]{1,200}\]\((?:https?:|mailto:|data:|#|\.{0,2}/|[\w/-]+\.\w)[^)\s\n]{0,500}(?: +\"[^\"\n]*\")?\)"
)
_STRONG = re.compile(r"(?<![\w*])\*\*[^\s*][^*\n]{0,200}\*\*(?!\w)|(?<![\w_])__[^\s_][^_\n]{0,200}__(?!\w)")
_CODE = re.compile(r"(?<!`)`[^`\s][^`\n]{0,100}`(?!`)")
_RULE_OF_TABLE = re.compile(
    r"\s*\|?\s*:?-{2,}:?\s*(?:\|\s*:?-{2,}:?\s*)+\|?\s*\Z|\s*\|\s*:?-+:?\s*(?:\|\s*:?-+:?\s*)*\|\s*\Z"
)
_UNDERLINE = re.compile(r"(?:={3,}|-{3,})\s*\Z")
_ENOUGH = 2.5
# Without any of these no score is enough; most texts have none. A single sign is searched for ten times faster.
_ANY_OF = (("#", "\n#"), ("`", "`"), ("~", "~~~"), ("]", "]("), ("*", "**"), ("_", "__"), ("|", "|"))
_COMMENTED = 0.3
_PROGRAM = re.compile(
    r"#!|#include [<\"]|#define |import [\w.]+(?: as \w+)?;?\s*\Z|from [\w.]+ import |def \w+\(|"
    r"class \w+[^.]*[:{]\s*\Z|(?:public|private|static|using|package|function|const|var|let) [^.]*[;{]\s*\Z"
)


def looks_like_markdown(text: str) -> bool:
    if not text.startswith("#") and not any(sign in text and mark in text for sign, mark in _ANY_OF):
        return False
    lines = text.splitlines()[:400]
    if _is_program(lines):
        return False
    score = _score_of_headings(lines)
    if any(_RULE_OF_TABLE.match(line) and "|" in before for before, line in pairwise(lines)):
        score += 3.0
    score += 1.5 * min(1, sum(1 for line in lines if _FENCE.match(line)) // 2)
    score += min(2.0, len(_LINK.findall(text)) * 1.0)
    score += min(1.5, len(_STRONG.findall(text)) * 0.75)
    score += min(1.0, len(_CODE.findall(text)) * 0.5)
    score += 0.5 * min(1, sum(1 for line in lines if _ITEM.match(line)) // 2)
    score += 0.5 * any(_UNDERLINE.match(line) and before.strip() for before, line in pairwise(lines))
    return score >= _ENOUGH


def _score_of_headings(lines: list[str]) -> float:
    """A blank line follows most headings, but rarely the comment of a script, which also begins with `#`."""
    followed = preceded = sharps = filled = 0
    for place, line in enumerate(lines):
        filled += bool(line.strip())
        sharps += line.startswith("#")
        if _HEADING.match(line):
            followed += place + 1 == len(lines) or not lines[place + 1].strip()
            preceded += place == 0 or not lines[place - 1].strip()
    if sharps > max(3.0, filled * _COMMENTED):
        return 0.0
    return min(3.0, followed * 1.5) + min(1.0, preceded * 0.25)


def _is_program(lines: list[str]) -> bool:
    fenced = False
    for line in lines:
        if _FENCE.match(line):
            fenced = not fenced
        elif not fenced and _PROGRAM.match(line):
            return True
    return False
