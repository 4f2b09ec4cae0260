"""Number formats of spreadsheets: percentages, decimals, thousands, currencies, codes such as 000-00-0000, dates."""

import re
from dataclasses import dataclass, field
from decimal import ROUND_HALF_UP, Decimal
from functools import lru_cache
from typing import Literal

from docsieve.parsers.office.sheets.cell_values import shown_number
from docsieve.parsers.office.sheets.serial_dates import shown_elapsed, shown_serial

_TOKEN = re.compile(
    r'"(?P<quoted>[^"]*)"?|\\(?P<escaped>.)|[_*](?P<width>.)|\[(?P<bracket>[^\]]*)\]|(?P<general>General)'
    r"|(?P<exponent>E[+-])|(?P<half>AM/PM|A/P)|(?P<date>[ymdhs]+)|(?P<digits>[0#?]+)|(?P<other>.)",
    re.IGNORECASE | re.DOTALL,
)
_ELAPSED = re.compile(r"(?:h+|m+|s+)\Z", re.IGNORECASE)
_PLAIN_KINDS = re.compile(r"(t*)(d+)((?:pd*)?)t*\Z")
_MAX_CODE_LENGTH = 255
_MAX_DECIMALS = 15
_MAX_NUMBER = 10**15

BUILT_IN = {
    1: "0", 2: "0.00", 3: "#,##0", 4: "#,##0.00", 5: "$#,##0;-$#,##0", 6: "$#,##0;-$#,##0", 7: "$#,##0.00;-$#,##0.00",
    8: "$#,##0.00;-$#,##0.00", 9: "0%", 10: "0.00%", 11: "0.00E+00", 14: "yyyy-mm-dd", 15: "d-mmm-yy", 16: "d-mmm",
    17: "mmm-yy", 18: "h:mm", 19: "h:mm:ss", 20: "h:mm", 21: "h:mm:ss", 22: "yyyy-mm-dd h:mm", 37: "#,##0;(#,##0)",
    38: "#,##0;(#,##0)", 39: "#,##0.00;(#,##0.00)", 40: "#,##0.00;(#,##0.00)", 41: '#,##0;-#,##0;"-"',
    42: '$#,##0;-$#,##0;"-"', 43: '#,##0.00;-#,##0.00;"-"', 44: '$#,##0.00;-$#,##0.00;"-"', 45: "mm:ss",
    46: "[h]:mm:ss", 47: "mm:ss", 48: "##0.0E+0",
    **dict.fromkeys((*range(27, 32), 36, *range(50, 59)), "yyyy-mm-dd"), **dict.fromkeys(range(32, 36), "h:mm:ss"),
}  # fmt: skip


Piece = tuple[Literal["text", "digits", "point"], str]


@dataclass(frozen=True, slots=True)
class _Plain:
    """A section that is one number with text before and after it, as most are."""

    before: str
    after: str
    quantum: Decimal
    layout: Literal["f", ",f"]


@dataclass(slots=True)
class _Section:
    """`pieces` are literals and runs of digit places, in their order; places after the point are `decimals`."""

    kind: Literal["number", "date", "elapsed", "general", "scientific"] = "number"
    pieces: list[Piece] = field(default_factory=list)
    has_date: bool = False
    has_time: bool = False
    percent: int = 0
    grouped: bool = False
    thousandths: int = 0
    places: int = 0
    plain: _Plain | None = None


def shown_by(code: str, value: float, *, since_1904: bool = False) -> str:
    """Format a number; plain if the format is not supported."""
    sections = _sections(code[:_MAX_CODE_LENGTH])
    negative_has_own = len(sections) > 1 and value < 0
    section = sections[1] if negative_has_own else sections[0]
    if value == 0 and len(sections) > 2:
        section = sections[2]
    if section.kind == "date":
        moment = shown_serial(value, has_date=section.has_date, has_time=section.has_time, since_1904=since_1904)
        return moment or shown_number(value)
    if section.kind == "elapsed":
        return shown_elapsed(value) or shown_number(value)
    if section.kind == "scientific":
        return f"{value:.{min(section.places, _MAX_DECIMALS)}E}"
    if section.kind == "general" or abs(value) >= _MAX_NUMBER:
        return shown_number(value)
    shown = _fill(section, abs(value))
    return f"-{shown}" if value < 0 and not negative_has_own and shown.strip("0.,% ") else shown


@lru_cache(maxsize=1024)
def _sections(code: str) -> tuple[_Section, ...]:
    parts: list[str] = [""]
    for match in _TOKEN.finditer(code):
        if match.group() == ";":
            parts.append("")
        else:
            parts[-1] += match.group()
    return tuple(_section(part) for part in parts[:3])


def _section(code: str) -> _Section:
    section = _Section()
    after_point = False
    for match in _TOKEN.finditer(code):
        kind, text = match.lastgroup, match.group(match.lastgroup or 0)
        if kind in ("quoted", "escaped"):
            section.pieces.append(("text", text))
        elif kind == "bracket":
            if _ELAPSED.match(text):
                section.kind = "elapsed"
            elif text.startswith("$"):
                section.pieces.append(("text", text[1:].partition("-")[0]))
        elif kind in ("general", "exponent"):
            section.kind = "general" if kind == "general" else "scientific"
        elif kind in ("date", "half"):
            _note_date(section, text.lower())
        elif kind == "digits":
            section.pieces.append(("digits", text))
            section.places += len(text) if after_point and section.kind != "scientific" else 0
        elif text == "." and not after_point:
            after_point = True
            section.pieces.append(("point", "."))
        elif kind == "other":
            _note_other(section, text, code[match.end() :])
    # Months and minutes share a letter: alone it is a date, next to hours or seconds it is a time.
    section.has_date = section.has_date or not section.has_time
    section.plain = _plain(section)
    return section


def _plain(section: _Section) -> _Plain | None:
    kinds = "".join(kind[0] for kind, _ in section.pieces)
    match = _PLAIN_KINDS.match(kinds)
    if match is None or section.kind != "number" or section.places > _MAX_DECIMALS:
        return None
    before, whole, decimals = (len(part) for part in match.groups())
    digits = "".join(text for _, text in section.pieces[before : before + whole])
    fraction = "".join(text for _, text in section.pieces[before + whole : before + whole + decimals])
    if digits.count("0") != 1 or fraction.strip("0.") or fraction == ".":
        return None
    after = section.pieces[before + whole + decimals :]
    return _Plain(
        before="".join(text for _, text in section.pieces[:before]),
        after="".join(text for _, text in after),
        quantum=Decimal(1).scaleb(-section.places),
        layout=",f" if section.grouped else "f",
    )


def _note_date(section: _Section, letters: str) -> None:
    if section.kind != "elapsed":
        section.kind = "date"
    section.has_time = section.has_time or letters[0] in "hsa"
    section.has_date = section.has_date or letters[0] in "yd" or letters.startswith("mmm")


def _note_other(section: _Section, text: str, rest: str) -> None:
    if text == "%":
        section.percent += 1
    if text == ",":
        if re.match(r"[0#?]", rest):
            section.grouped = True
        else:
            section.thousandths += 1
    elif text == "@" or (text == "/" and section.kind == "number"):
        # Text, and fractions, which are easier to read as decimals.
        section.kind = "general"
    else:
        section.pieces.append(("text", text))


def _fill(section: _Section, value: float) -> str:
    amount = Decimal(repr(value))
    if section.percent or section.thousandths:
        amount = amount.scaleb(2 * min(section.percent, 4) - 3 * min(section.thousandths, 4))
    if (plain := section.plain) is not None:
        return f"{plain.before}{amount.quantize(plain.quantum, ROUND_HALF_UP):{plain.layout}}{plain.after}".strip()
    places = min(section.places, _MAX_DECIMALS)
    whole, _, decimals = f"{amount.quantize(Decimal(1).scaleb(-places), ROUND_HALF_UP):f}".partition(".")
    point = next((place for place, (kind, _) in enumerate(section.pieces) if kind == "point"), len(section.pieces))
    left = _fill_whole(section.pieces[:point], whole, section.grouped)
    right = ""
    for kind, text in section.pieces[point + 1 :]:
        if kind == "digits":
            filled, decimals = decimals[: len(text)], decimals[len(text) :]
            right += filled.rstrip("0").ljust(text.count("0"), "0") if not decimals.strip("0") else filled
        else:
            right += text
    has_decimals = right[:1].isdigit()
    return (left + ("." if has_decimals else "") + right).strip()


def _fill_whole(pieces: list[Piece], whole: str, grouped: bool) -> str:
    """Fill digit places from the right; the leftmost run takes the rest."""
    runs = [text for kind, text in pieces if kind == "digits"]
    least = sum(text.count("0") for text in runs)
    digits = whole.lstrip("0").rjust(least, "0")
    if grouped:
        digits = f"{int(digits):,}".rjust(least, "0") if digits else ""
        runs = ["".join(runs)] if runs else []
    filled: list[str] = []
    waiting = len(runs)
    for kind, text in reversed(pieces):
        if kind != "digits":
            filled.append(text)
        elif grouped:
            filled.append(digits)
            digits = ""
        else:
            waiting -= 1
            taken = digits if waiting == 0 else digits[max(0, len(digits) - len(text)) :]
            digits = digits[: len(digits) - len(taken)]
            filled.append(taken)
    return "".join(reversed(filled))
