"""The numbers and bullets that Word shows before paragraphs; the file holds only the rules by which it counts."""

from dataclasses import dataclass, field

from docsieve.parsers.office.markup import Element, attribute, child, children, number

BULLET = "•"

_LEVELS = 9
_ROMAN = ((1000, "m"), (900, "cm"), (500, "d"), (400, "cd"), (100, "c"), (90, "xc"), (50, "l"), (40, "xl"))
_ROMAN_SMALL = ((10, "x"), (9, "ix"), (5, "v"), (4, "iv"), (1, "i"))


@dataclass(slots=True)
class Level:
    start: int = 1
    format: str = "decimal"
    text: str = ""


@dataclass(slots=True)
class _List:
    """One list to count in; several numberings may share it, and one may begin anew."""

    abstract: str
    starts: dict[int, int] = field(default_factory=dict)


class Numbering:
    def __init__(self, root: Element | None) -> None:
        self._levels: dict[str, dict[int, Level]] = {}
        self._lists: dict[str, _List] = {}
        self._counters: dict[str, list[int | None]] = {}
        self._begun: set[str] = set()
        for element in root if root is not None else ():
            self._learn(element)

    def label(self, list_id: str, level: int) -> str:
        """Counts one further in the list and gives what stands before the paragraph."""
        numbered = self._lists.get(list_id)
        if numbered is None or not 0 <= level < _LEVELS:
            return ""
        levels = self._levels.get(numbered.abstract, {})
        counters = self._counters.setdefault(numbered.abstract, [None] * _LEVELS)
        if list_id not in self._begun:
            self._begun.add(list_id)
            for place, start in numbered.starts.items():
                counters[place] = start - 1
        rule = levels.get(level, Level(text=f"%{level + 1}."))
        count = counters[level]
        counters[level] = rule.start if count is None else count + 1
        counters[level + 1 :] = [None] * (_LEVELS - level - 1)
        if rule.format == "bullet":
            return BULLET
        return _fill(rule, levels, counters)

    def _learn(self, element: Element) -> None:
        if attribute(element, "abstractNumId") is not None:
            levels = {number(found, "ilvl"): _level(found) for found in children(element, "lvl")}
            self._levels[attribute(element, "abstractNumId") or ""] = levels
        elif (list_id := attribute(element, "numId")) is not None:
            abstract = child(element, "abstractNumId")
            starts = {
                number(override, "ilvl"): number(start, "val", 1)
                for override in children(element, "lvlOverride")
                if (start := child(override, "startOverride")) is not None and 0 <= number(override, "ilvl") < _LEVELS
            }
            self._lists[list_id] = _List(attribute(abstract, "val") or "" if abstract is not None else "", starts)


def _level(element: Element) -> Level:
    numbering_format, text = child(element, "numFmt"), child(element, "lvlText")
    return Level(
        start=number(child(element, "start"), "val", 1),
        format=(attribute(numbering_format, "val") or "decimal") if numbering_format is not None else "decimal",
        text=(attribute(text, "val") or "") if text is not None else "",
    )


def _fill(rule: Level, levels: dict[int, Level], counters: list[int | None]) -> str:
    if rule.format == "none" and "%" not in rule.text:
        return rule.text
    shown = rule.text
    for place in range(_LEVELS):
        if f"%{place + 1}" in shown:
            of = levels.get(place, Level())
            count = counters[place]
            shown = shown.replace(f"%{place + 1}", counted(of.start if count is None else count, of.format))
    return shown


def counted(count: int, numbering_format: str) -> str:
    match numbering_format:
        case "lowerLetter" | "upperLetter" if 0 < count <= 26 * 20:
            letters = chr(ord("a") + (count - 1) % 26) * ((count - 1) // 26 + 1)
            return letters.upper() if numbering_format == "upperLetter" else letters
        case "lowerRoman" | "upperRoman" if 0 < count < 4000:
            return roman(count).upper() if numbering_format == "upperRoman" else roman(count)
        case "decimalZero":
            return f"{count:02d}"
        case "none" | "bullet":
            return ""
    return str(count)


def roman(count: int) -> str:
    digits = ""
    for value, digit in _ROMAN + _ROMAN_SMALL:
        while count >= value:
            digits += digit
            count -= value
    return digits
