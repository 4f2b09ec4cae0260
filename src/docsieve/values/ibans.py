"""International bank account numbers, verified by their checksum."""

import re

_LENGTHS: dict[str, int] = {
    "AD": 24, "AE": 23, "AL": 28, "AT": 20, "AZ": 28, "BA": 20, "BE": 16, "BG": 22, "BH": 22, "BR": 29, "BY": 28,
    "CH": 21, "CR": 22, "CY": 28, "CZ": 24, "DE": 22, "DK": 18, "DO": 28, "EE": 20, "EG": 29, "ES": 24, "FI": 18,
    "FO": 18, "FR": 27, "GB": 22, "GE": 22, "GI": 23, "GL": 18, "GR": 27, "GT": 28, "HR": 21, "HU": 28, "IE": 22,
    "IL": 23, "IQ": 23, "IS": 26, "IT": 27, "JO": 30, "KW": 30, "KZ": 20, "LB": 28, "LI": 21, "LT": 20, "LU": 20,
    "LV": 21, "LY": 25, "MC": 27, "MD": 24, "ME": 22, "MK": 19, "MR": 27, "MT": 31, "MU": 30, "NL": 18, "NO": 15,
    "PK": 24, "PL": 28, "PS": 29, "PT": 25, "QA": 29, "RO": 24, "RS": 22, "SA": 24, "SC": 31, "SE": 24, "SI": 19,
    "SK": 24, "SM": 27, "ST": 25, "SV": 28, "TL": 23, "TN": 24, "TR": 26, "UA": 29, "VA": 22, "VG": 24, "XK": 20,
}  # fmt: skip
_FIND = re.compile(r"(?<![A-Za-z0-9])[A-Za-z]{2}\d{2}(?:[ \u00a0-]?[A-Za-z0-9]){11,30}")


def valid_iban(text: str) -> bool:
    """Whether the compact text has the length of its country and the right check digits (ISO 7064, modulo 97)."""
    if not text.isascii() or not text.isalnum() or _LENGTHS.get(text[:2].upper()) != len(text):
        return False
    digits = "".join(str(int(each, 36)) for each in text[4:] + text[:4])
    return int(digits) % 97 == 1


def parse_iban(text: str) -> str | None:
    """Return the account number in capitals without spaces; None if the checksum is wrong."""
    compact = re.sub(r"[\s\-]", "", text[:80]).removeprefix("IBAN").lstrip(":").upper()
    return compact if valid_iban(compact) else None


def find_ibans(text: str) -> list[tuple[int, int, str]]:
    found = []
    for match in _FIND.finditer(text[:20_000]):
        country = match[0][:2].upper()
        if (iban_end := _end(match[0], _LENGTHS.get(country, 0))) is None:
            continue
        compact = re.sub(r"[\s\-]", "", match[0][:iban_end]).upper()
        if valid_iban(compact):
            found.append((match.start(), match.start() + iban_end, compact))
    return found


def _end(text: str, length: int) -> int | None:
    """Return the end of the first `length` non-space characters; words may follow an account number."""
    seen = 0
    for place, each in enumerate(text):
        seen += each.isalnum()
        if seen == length:
            return place + 1
    return None
