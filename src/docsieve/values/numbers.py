"""Numbers with the separators of many countries, and numbers in words."""

import re
import unicodedata
from collections.abc import Iterable
from decimal import Decimal
from typing import Literal

DecimalMark = Literal[".", ","]

MAX_LENGTH = 40
_SPACES = " \u00a0\u202f\u2009"
_GROUP_MARKS = re.compile(rf"['’´`{_SPACES}](?=\d{{3}}(?!\d))")
_SPACED_MARK = re.compile(r"(?<=\d)\s?([.,])\s?(?=\d)")
_EMPTY_CENTS = re.compile(r"[.,]\s?[-–—−]{1,2}$")
_PLAIN = re.compile(r"\d+(?:[.,]\d+)*")
_SLIPS = str.maketrans("OoQDIl|!SsB", "00001111558")
# A letter after the cents marks a tax rate on receipts and is not a third decimal.
_MARKED_PRICE = re.compile(r"(\d+[.,]\d{2})[A-Za-z]")
_MAY_BE_DIGITS = re.compile(r"[\dOoQDIl|!SsB.,]+")

NUMBER_PATTERN = (
    rf"(?:\d{{1,3}}(?:[{_SPACES}]\d{{3}})+(?![\d]|[{_SPACES}]?\d{{3}})(?:[.,]\d+)?"
    rf"|\d{{1,3}}(?:['’]\d{{3}})+(?:[.,]\d+)?|\d+(?:[.,]\d+)*(?:[.,]\s?[-–—−]{{1,2}})?|[.,]\d+)"
)
_FIND = re.compile(rf"(?<![\w.,/])(?<!\d-)(?P<sign>[-−–+]\s?)?(?P<digits>{NUMBER_PATTERN})(?![\w/]|[.,-]\d)")
_TELLING = re.compile(r"(?<![\d.,])\d{1,3}(?:([.,' ])\d{3})*([.,])\d{2}(?![\d.,])")


def parse_number(text: str, *, decimal: DecimalMark | None = None) -> Decimal | None:
    """Parse a text that is a number, with an optional sign or brackets if negative; None for any other text.

    `decimal` resolves an ambiguous separator before three digits: `1.234`. Without it, a comma groups there,
    and a point does not.
    """
    said = text.strip()
    if not said or len(said) > MAX_LENGTH:
        return None
    negative = False
    if said[0] == "(" and said[-1] == ")":
        negative, said = True, said[1:-1].strip()
    if said[:1] in "-−–":
        negative, said = True, said[1:].strip()
    elif said[:1] == "+":
        said = said[1:].strip()
    elif said[-1:] in "-−–" and not _EMPTY_CENTS.search(said):
        negative, said = True, said[:-1].strip()
    value = read_digits(said, decimal=decimal)
    return -value if value is not None and negative else value


def read_digits(text: str, *, decimal: DecimalMark | None = None, grouped_by_point: bool = False) -> Decimal | None:
    """Parse an unsigned number. With `grouped_by_point`, `1.234` is a thousand unless `decimal` says otherwise."""
    if text.isdigit() and text.isascii():
        return Decimal(text)
    said = _EMPTY_CENTS.sub("", text.strip())
    said = _SPACED_MARK.sub(r"\1", _GROUP_MARKS.sub("", said))
    if said[:1] in (".", ",") and said[1:].isdigit():
        said = "0" + said
    if not _PLAIN.fullmatch(said) or not said.isascii():
        return None
    mark = _decimal_mark(said, decimal, grouped_by_point)
    if mark is None:
        return None if _badly_grouped(said) else Decimal(re.sub("[.,]", "", said))
    whole, _, fraction = said.rpartition(mark)
    if _badly_grouped(whole) or mark in whole:
        return None
    return Decimal(f"{re.sub('[.,]', '', whole)}.{fraction}")


def without_slips(text: str) -> str | None:
    """Return the text with OCR errors in digits corrected, if it is then a number; else None."""
    said = text.strip()
    if marked := _MARKED_PRICE.fullmatch(said):
        return marked[1]
    if not _MAY_BE_DIGITS.fullmatch(said) or sum(each.isdigit() for each in said) * 2 < len(re.sub("[.,]", "", said)):
        return None
    return said.translate(_SLIPS)


def find_numbers(text: str, *, decimal: DecimalMark | None = None) -> list[tuple[int, int, Decimal]]:
    """Find all separate numbers, not those inside dates, codes and words."""
    found = []
    for match in _FIND.finditer(text[:20_000]):
        value = read_digits(match["digits"], decimal=decimal) if len(match["digits"]) <= MAX_LENGTH else None
        if value is not None:
            sign = (match["sign"] or "").strip()
            start = match.start() if sign else match.start("digits")
            found.append((start, match.end(), -value if sign in ("-", "−", "–") else value))
    return found


def decimal_mark(texts: Iterable[str]) -> DecimalMark | None:
    """Detect the decimal separator of a document from its numbers with two decimals; None without evidence."""
    votes = 0
    for text in texts:
        for match in _TELLING.finditer(text[:20_000]):
            weight = 3 if match[1] is not None and match[1] != match[2] else 1
            votes += weight if match[2] == "," else -weight
    return None if votes == 0 else "," if votes > 0 else "."


def decimal_of(value: float) -> Decimal:
    """Return a JSON number without binary noise: 2.1100000000000003 is 2.11."""
    return Decimal(value) if isinstance(value, int) else Decimal(f"{value:.12g}")


def plain(value: Decimal) -> str:
    """Return the decimal without an exponent and trailing zeros: 8.60 becomes 8.6, and -0 becomes 0."""
    text = format(value, "f")
    if "." in text:
        text = text.rstrip("0").rstrip(".")
    return "0" if text in ("-0", "") else text


def _decimal_mark(said: str, hint: DecimalMark | None, grouped_by_point: bool) -> DecimalMark | None:
    points, commas = said.count("."), said.count(",")
    if points and commas:
        return "." if said.rfind(".") > said.rfind(",") else ","
    if points + commas != 1:
        return None
    mark: DecimalMark = "." if points else ","
    whole, _, fraction = said.partition(mark)
    could_group = len(fraction) == 3 and 1 <= len(whole) <= 3 and whole.lstrip("0") != "" and not whole.startswith("0")
    if not could_group:
        return mark
    if hint is not None:
        return mark if hint == mark else None
    return mark if mark == "." and not grouped_by_point else None


def _badly_grouped(whole: str) -> bool:
    """Groups of three, or of two before the last three as in India: 12,34,567."""
    groups = re.split("[.,]", whole)
    if len(groups) == 1:
        return False
    if len(set(re.findall("[.,]", whole))) > 1 or not 1 <= len(groups[0]) <= 3 or len(groups[-1]) != 3:
        return True
    between = {len(group) for group in groups[1:-1]}
    indian = between == {2} and len(groups[0]) <= 2 and "," in whole
    return not (between <= {3} or indian)


_CARDINALS = (
    "zero null",
    "one a an ein eine einem einen einer un une uno una um uma",
    "two zwei zwo deux dos dois duas",
    "three drei trois tres",
    "four vier quatre cuatro quatro",
    "five funf fuenf cinq cinco",
    "six sechs seis",
    "seven sieben sept siete sete",
    "eight acht huit ocho oito",
    "nine neun neuf nueve nove",
    "ten zehn dix diez dez",
    "eleven elf onze once",
    "twelve zwolf zwoelf douze doce doze",
    "thirteen dreizehn treize trece treze",
    "fourteen vierzehn quatorze catorce catorze",
    "fifteen funfzehn fuenfzehn quinze quince",
    "sixteen sechzehn seize dieciseis dezesseis",
    "seventeen siebzehn dix-sept diecisiete dezessete",
    "eighteen achtzehn dix-huit dieciocho dezoito",
    "nineteen neunzehn dix-neuf diecinueve dezenove",
)
_TENS = {
    20: "twenty zwanzig vingt veinte vinte",
    24: "vierundzwanzig vingt-quatre veinticuatro",
    30: "thirty dreissig trente treinta trinta",
    36: "sechsunddreissig",
    40: "forty vierzig quarante cuarenta quarenta",
    50: "fifty funfzig cinquante cincuenta cinquenta",
    60: "sixty sechzig soixante sesenta sessenta",
    70: "seventy siebzig setenta",
    80: "eighty achtzig ochenta oitenta",
    90: "ninety neunzig quatre-vingt-dix noventa",
}
_ORDINALS = (
    "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth"
    " sixteenth seventeenth eighteenth nineteenth twentieth"
)
_SPELLED_PARTS = re.compile(r"[\s-]+")


def _folded(text: str) -> str:
    plain = unicodedata.normalize("NFKD", text.casefold())
    return "".join(character for character in plain if not unicodedata.combining(character))


_SPELLED = {word: number for number, words in (*enumerate(_CARDINALS), *_TENS.items()) for word in words.split()} | {
    "thirtieth": 30,
    **{word: number for number, word in enumerate(_ORDINALS.split(), 1)},
}


def spelled_number(text: str) -> int | None:
    """The number from 0 to 99 that a text writes in words, as a cardinal or an English ordinal."""
    said = _folded(text.strip())
    if said in _SPELLED:
        return _SPELLED[said]
    parts = [_SPELLED.get(part) for part in _SPELLED_PARTS.split(said) if part not in ("and", "et", "y", "e", "und")]
    if len(parts) != 2 or parts[0] is None or parts[1] is None:
        return None
    return parts[0] + parts[1] if parts[0] >= 20 and parts[0] % 10 == 0 and 0 < parts[1] < 10 else None
