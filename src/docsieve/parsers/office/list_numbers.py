"""The numbers and bullets that Word shows before list paragraphs. Files hold only the rules for counting them."""

from dataclasses import dataclass, field

BULLET = "•"
LEVELS = 9

_ROMAN = (
    (1000, "m"), (900, "cm"), (500, "d"), (400, "cd"), (100, "c"), (90, "xc"), (50, "l"), (40, "xl"), (10, "x"),
    (9, "ix"), (5, "v"), (4, "iv"), (1, "i"),
)  # fmt: skip
_ONES = (
    "Zero", "One", "Two", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine", "Ten", "Eleven", "Twelve",
    "Thirteen", "Fourteen", "Fifteen", "Sixteen", "Seventeen", "Eighteen", "Nineteen",
)  # fmt: skip
_TENS = ("Twenty", "Thirty", "Forty", "Fifty", "Sixty", "Seventy", "Eighty", "Ninety")
_IRREGULAR_ORDINALS = {
    "one": "first", "two": "second", "three": "third", "five": "fifth", "eight": "eighth", "nine": "ninth",
    "twelve": "twelfth",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Level:
    """How one level of a list counts.

    `format` is the name that OOXML uses. In `text`, `%1` to `%9` are placeholders for the counts of the levels.
    `is_legal` shows all of them as decimal numbers. The count restarts after a paragraph of any level above, or, if
    `restarts_below` is set, only after one of the first `restarts_below` levels.
    """

    start: int = 1
    format: str = "decimal"
    text: str = ""
    is_legal: bool = False
    restarts_below: int | None = None


@dataclass(frozen=True, slots=True)
class NumberedList:
    """Lists of one `counter` continue each other's counts, except that the levels in `restarted` begin again."""

    counter: str
    levels: dict[int, Level]
    restarted: frozenset[int] = frozenset()


@dataclass(slots=True)
class ListNumbers:
    """The lists of a document by their ids, and how far each was counted."""

    lists: dict[str, NumberedList]
    _counts: dict[str, list[int | None]] = field(default_factory=dict)
    _begun: set[str] = field(default_factory=set)

    def label(self, list_id: str, level: int) -> str:
        """Count one paragraph of a list, and return the text shown before it."""
        numbered = self.lists.get(list_id)
        if numbered is None or not 0 <= level < LEVELS:
            return ""
        counts = self._counts.setdefault(numbered.counter, [None] * LEVELS)
        if list_id not in self._begun:
            self._begun.add(list_id)
            for place in numbered.restarted:
                counts[place] = None
        rule = numbered.levels.get(level, Level(text=f"%{level + 1}."))
        count = counts[level]
        counts[level] = rule.start if count is None else count + 1
        for below in range(level + 1, LEVELS):
            limit = numbered.levels.get(below, Level()).restarts_below
            if limit is None or level < limit:
                counts[below] = None
        return BULLET if rule.format == "bullet" else _filled(rule, numbered.levels, counts)


def _filled(rule: Level, levels: dict[int, Level], counts: list[int | None]) -> str:
    shown = rule.text
    if "%" not in shown:
        return shown
    for place in range(LEVELS):
        if f"%{place + 1}" in shown:
            level = levels.get(place, Level())
            count = counts[place]
            number_format = "decimal" if rule.is_legal else level.format
            shown = shown.replace(f"%{place + 1}", formatted(level.start if count is None else count, number_format))
    return shown


def formatted(count: int, number_format: str) -> str:
    match number_format:
        case "lowerLetter" | "upperLetter" if 0 < count <= 26 * 20:
            letters = chr(ord("a") + (count - 1) % 26) * ((count - 1) // 26 + 1)
            return letters.upper() if number_format == "upperLetter" else letters
        case "lowerRoman" | "upperRoman" if 0 < count < 4000:
            return roman(count).upper() if number_format == "upperRoman" else roman(count)
        case "decimalZero":
            return f"{count:02d}"
        case "ordinal":
            return f"{count}{_ordinal_suffix(count)}"
        case "cardinalText" | "ordinalText" if 0 <= count < 100:
            return _ordinal_word(_word(count)) if number_format == "ordinalText" else _word(count)
        case "none" | "bullet":
            return ""
    return str(count)


def roman(count: int) -> str:
    digits = ""
    for value, digit in _ROMAN:
        while count >= value:
            digits += digit
            count -= value
    return digits


def _ordinal_suffix(count: int) -> str:
    if count % 100 in (11, 12, 13):
        return "th"
    return {1: "st", 2: "nd", 3: "rd"}.get(count % 10, "th")


def _word(count: int) -> str:
    if count < 20:
        return _ONES[count]
    ones = f"-{_ONES[count % 10].lower()}" if count % 10 else ""
    return _TENS[count // 10 - 2] + ones


def _ordinal_word(cardinal: str) -> str:
    before, dash, last = cardinal.rpartition("-")
    last = last.lower()
    if last in _IRREGULAR_ORDINALS:
        last = _IRREGULAR_ORDINALS[last]
    else:
        last = f"{last[:-1]}ieth" if last.endswith("y") else f"{last}th"
    return f"{before}{dash}{last}".capitalize()
