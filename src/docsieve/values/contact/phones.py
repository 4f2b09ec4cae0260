"""Phone numbers as people write them."""

import re

_FIND = re.compile(
    r"(?<![\w.,/-])(?:\+|\(\+?|00)?\d{1,4}[)\s./-]{0,3}(?:\(\d{1,5}\)[\s./-]{0,2})?\d{1,5}(?:[\s./-]{1,3}\d{1,8}){0,5}(?![\w/]|[.,]\d)"
)
_EXTENSION = re.compile(r"\s*(?:ext|x|durchwahl|dw)\.?\s?\d{1,5}$", re.IGNORECASE)
_LABEL = re.compile(
    r"^(?:tel|phone|fax|mobile|mob|telefon|telephone|t|ph|hp|handy|télephone|teléfono)[a-z]*\.?(?:\s?(?:no|nr)\.?)?\s?[:.]?\s*",
    re.IGNORECASE,
)
_DATE = re.compile(r"\d{1,2}[./-]\d{1,2}[./-]\d{2,4}|\d{4}[./-]\d{1,2}[./-]\d{1,2}")
# A number of three digits or more before an area code in brackets is not part of it: `Store 204 (705) 745-3381`.
_OTHER_NUMBER = re.compile(r"\d{3,}\s+(?=\()")
_POSTCODE = re.compile(r"\d{4,5}-\d{3}")
_MIN_DIGITS, _MAX_DIGITS = 6, 15


def parse_phone(text: str) -> str | None:
    """Return the number as written, without a label; None if there are too few or too many digits, or words."""
    said = " ".join(text[:60].split())
    said = _LABEL.sub("", said).strip(" .,;:")
    bare = _EXTENSION.sub("", said)
    if not re.fullmatch(r"[+\d()\s./\-–#]+", bare) or _DATE.fullmatch(bare):
        return None
    return said if _MIN_DIGITS <= len(phone_digits(bare)) <= _MAX_DIGITS else None


def find_phones(text: str) -> list[tuple[int, int, str]]:
    found = []
    for match in _FIND.finditer(text[:20_000]):
        prefix = _OTHER_NUMBER.match(match[0])
        start = match.start() + (prefix.end() if prefix else 0)
        said = text[start : match.end()].strip()
        digits = phone_digits(said)
        if (
            _MIN_DIGITS <= len(digits) <= _MAX_DIGITS
            and not _DATE.fullmatch(said)
            and said.count("(") == said.count(")")
            and not (_POSTCODE.fullmatch(said) and _in_address(text, start, match.end()))
        ):
            found.append((start, match.end(), said))
    return found


def _in_address(text: str, start: int, end: int) -> bool:
    return text[max(start - 2, 0) : start] == ", " or bool(re.match(r"\s[A-ZÀ-Ý][a-zà-ÿ]", text[end : end + 3]))


def phone_digits(text: str) -> str:
    """Normalize a number: its digits, with + for an international prefix."""
    digits = "".join(each for each in text if each.isdigit())
    return digits[2:] if digits.startswith("00") else digits
