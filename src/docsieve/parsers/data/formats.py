"""Data in text: separated values, JSON and JSON Lines."""

import re

from docsieve.parsers.data.csv_dialect import dialect_of
from docsieve.parsers.data.json_values import are_lines
from docsieve.parsers.format import SPACE, Format
from docsieve.parsers.port import HEAD_BYTES
from docsieve.parsers.text.encodings import head_text

LINES_TYPE = "application/x-ndjson"

_STRING = r'"(?:[^"\\\n]|\\.){0,500}"'
_START = re.compile(
    rf"\s*(?:\[\s*)*(?:\{{\s*(?:\}}|{_STRING}\s*:)|"
    rf"(?<=[\[\s])(?:{_STRING}|-?\d[\d.eE+-]*|true|false|null|(?<=\[))\s*(?:,|\](?=\s*(?:[,\]]|\Z))))"
)


def _sniff_csv(head: bytes) -> str | None:
    text = head_text(head)
    dialect = dialect_of(text, cut=len(head) >= HEAD_BYTES) if text else None
    if dialect is None:
        return None
    return "text/tab-separated-values" if dialect.separator == "\t" else "text/csv"


def _sniff_json(head: bytes) -> str | None:
    text = head_text(head)
    if text is None or text.lstrip()[:1] not in ("{", "[") or not _START.match(text):
        return None
    return LINES_TYPE if are_lines(text.splitlines()[:3]) else "application/json"


CSV = Format(
    name="csv",
    version="1",
    media_types=frozenset({"text/csv", "text/tab-separated-values"}),
    sniff=_sniff_csv,
    reader="docsieve.parsers.data.csv",
)

JSON = Format(
    name="json",
    version="1",
    media_types=frozenset({"application/json", LINES_TYPE}),
    sniff=_sniff_json,
    reader="docsieve.parsers.data.json",
    begins=SPACE + b"{[",
)
