"""Detects the separator of a table in text from how regular it makes the lines."""

import csv
import re
from collections import Counter
from dataclasses import dataclass
from io import StringIO

SEPARATORS = (",", ";", "\t", "|")

_DECLARED = re.compile(r"sep=([,;|\t])\r?\n", re.IGNORECASE)
_NUMBER = re.compile(r"[-+(]?[$€£¥]?\s?\d[\d.,' ]*(?:[eE][-+]?\d+)?\s?[%€$£)]?\Z")
_MAX_LINES = 200
_REGULAR = 0.8
_MAX_USUAL_LENGTH = 120
_INDENTED = 0.5
_FIRST_LOOK, _FIRST_LINES = 1024, 12
_NAMED = 4


@dataclass(frozen=True, slots=True)
class Dialect:
    """`declared` if the first line does nothing but name the separator."""

    separator: str
    columns: int
    declared: bool = False


def dialect_of(text: str, *, cut: bool = False) -> Dialect | None:
    """Return the dialect if there is good evidence of a table; `cut` if the last line may be incomplete."""
    if declared := _DECLARED.match(text):
        return Dialect(declared.group(1), 0, declared=True)
    # A look at the beginning rules out most texts; uploads wait for the answer.
    first, lines = text[:_FIRST_LOOK], text.count("\n", 0, _FIRST_LOOK)
    # Whether there is one is found far faster than how many there are.
    separators = [each for each in SEPARATORS if each in first and first.count(each) >= lines * _REGULAR]
    if "," in separators and _is_prose(first.splitlines()[:_FIRST_LINES]):
        separators.remove(",")
    separators = [each for each in separators if _might(first, text, each, cut)]
    found = [guess for separator in separators if (guess := _rate(text, separator, cut=cut)) is not None]
    return max(found, key=lambda guess: guess[0])[1] if found else None


def _is_prose(lines: list[str]) -> bool:
    """Whether the lines are sentences with commas, without looking at the values."""
    ends = sum([line.rstrip().endswith((".", "!", "?", ":")) for line in lines])
    joined = "\n".join(lines)
    return ends * 2 > len(lines) and joined.count(", ") * 2 > joined.count(",")


def _might(first: str, text: str, separator: str, cut: bool) -> bool:
    return len(first) == len(text) or (separator in first and _rate(first, separator, cut=True) is not None)


def is_number(text: str) -> bool:
    return _NUMBER.match(text.strip()) is not None


def _rate(text: str, separator: str, *, cut: bool) -> tuple[float, Dialect] | None:
    rows = _rows(text, separator)
    if cut and len(rows) > 2:
        rows.pop()
    rows = [row for row in rows if any(value.strip() for value in row)]
    if rows and not any(row[-1].strip() for row in rows):
        # A separator that ends every line, as a semicolon does in programs, separates nothing there.
        rows = [row[:-1] for row in rows]
    if len(rows) < 2:
        return None
    counts = Counter(map(len, rows))
    columns, usual = counts.most_common(1)[0]
    regular = usual / len(rows)
    if (
        regular < _REGULAR
        and len(rows[0]) >= _NAMED
        and all(len(rows[0]) // 2 <= len(row) <= len(rows[0]) for row in rows)
    ):
        # Some writers leave out empty values at the end of a row.
        regular, columns = _REGULAR, len(rows[0])
    if columns < 2 or regular < _REGULAR or not _convinces(rows, separator, columns):
        return None
    return regular * (1 + min(columns, 10) / 100), Dialect(separator, columns)


def _rows(text: str, separator: str) -> list[list[str]]:
    rows: list[list[str]] = []
    try:
        for row in csv.reader(StringIO(text, newline=""), delimiter=separator):
            rows.append(row)
            if len(rows) >= _MAX_LINES:
                break
    except csv.Error:
        return []
    return rows


def _convinces(rows: list[list[str]], separator: str, columns: int) -> bool:
    """Commas and bars are also used in prose, code and drawings, but there their neighbors look different."""
    values = [value for row in rows for value in row]
    filled = [value for value in values if value.strip()]
    if not filled or len(filled) < len(values) * 0.1:
        return False
    usual_length = sorted(map(len, filled))[len(filled) * 9 // 10]
    if usual_length > _MAX_USUAL_LENGTH or _is_code(rows):
        return False
    if separator == "\t":
        # Leading tabs are indentation.
        return sum(bool(row[0].strip()) for row in rows) >= len(rows) * _INDENTED
    if separator == "|":
        return not any(set("".join(row)) <= set("-+: ") for row in rows)
    spaced = sum(value.startswith(" ") for row in rows for value in row[1:])
    numbers = sum(map(is_number, filled)) / len(filled)
    if spaced > sum(len(row) - 1 for row in rows) * 0.5 and numbers < 0.2 and columns < 4:
        return False
    ends = sum(bool(row) and row[-1].rstrip().endswith((".", "!", "?", ":")) for row in rows)
    if spaced > sum(len(row) - 1 for row in rows) * 0.5 and ends > len(rows) * 0.5:
        return False
    prose = sum(value.count(" ") >= 6 for value in filled) / len(filled)
    if prose > 0.4 or (ends > len(rows) * 0.5 and prose > 0.1):
        return False
    return len(rows) >= 3 or columns >= 3 or numbers > 0


def _is_code(rows: list[list[str]]) -> bool:
    lines = [row[0].lstrip() for row in rows if row] + [row[-1].rstrip() for row in rows if row]
    signs = sum(
        line.startswith(("{", "}", "//", "/*", "<", "#include", "@")) or line.endswith(("{", "(", ";", "["))
        for line in lines
    )
    return signs > len(rows) * 0.3
