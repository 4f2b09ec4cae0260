"""Numbers that name things: invoices, contracts, customers, taxpayers."""

import re

_TOKEN = re.compile(
    r"(?<![\w])(?<!\d,)(?=[\w/.#-]*\d)[A-Za-z0-9][A-Za-z0-9/._#-]{0,38}[A-Za-z0-9](?!\w|,\d)|(?<!\w)(?<!\d,)\d(?!\w|,\d)"
)
_AMOUNT = re.compile(r"\d{1,3}(?:[.,]\d{3})*[.,]\d{2}")
_DATE = re.compile(r"\d{1,4}[./-]\d{1,2}[./-]\d{1,4}")

_VAT_BODIES: dict[str, str] = {
    "AT": r"U\d{8}", "BE": r"[01]?\d{9}", "BG": r"\d{9,10}", "CY": r"\d{8}[A-Z]", "CZ": r"\d{8,10}", "DE": r"\d{9}",
    "DK": r"\d{8}", "EE": r"\d{9}", "EL": r"\d{9}", "ES": r"[A-Z0-9]\d{7}[A-Z0-9]", "FI": r"\d{8}",
    "FR": r"[A-Z0-9]{2}\d{9}", "GB": r"(?:\d{9}|\d{12}|GD\d{3}|HA\d{3})", "HR": r"\d{11}", "HU": r"\d{8}",
    "IE": r"\d[A-Z0-9+*]\d{5}[A-Z]{1,2}", "IT": r"\d{11}", "LT": r"(?:\d{9}|\d{12})", "LU": r"\d{8}", "LV": r"\d{11}",
    "MT": r"\d{8}", "NL": r"\d{9}B\d{2}", "PL": r"\d{10}", "PT": r"\d{9}", "RO": r"\d{2,10}", "SE": r"\d{12}",
    "SI": r"\d{8}", "SK": r"\d{10}", "CHE": r"\d{9}(?:MWST|TVA|IVA)?", "NO": r"\d{9}(?:MVA)?", "XI": r"\d{9}",
}  # fmt: skip
_VAT = re.compile("|".join(f"{country}{body}" for country, body in _VAT_BODIES.items()))
_VAT_CANDIDATE = re.compile(r"(?<![A-Za-z0-9])[A-Z]{2,3}[ .-]?(?:[A-Z0-9]{1,4}[ .-]?){2,7}(?![A-Za-z0-9])")


def parse_vat_id(text: str) -> str | None:
    """A European VAT number in capitals, without spaces, dots and dashes; None when its form is not its country's."""
    compact = re.sub(r"[\s.\-]", "", text[:40]).upper()
    return compact if _VAT.fullmatch(compact) else None


def find_vat_ids(text: str) -> list[tuple[int, int, str]]:
    found = []
    for match in _VAT_CANDIDATE.finditer(text[:20_000]):
        pieces = match[0].rstrip(" .-")
        # words may follow the number: the longest beginning that has the right form is it
        for end in [len(pieces), *(m.start() for m in reversed(list(re.finditer(r"[ .-]", pieces))))]:
            if (value := parse_vat_id(pieces[:end])) is not None:
                found.append((match.start(), match.start() + end, value))
                break
    return found


def find_identifiers(text: str) -> list[tuple[int, int, str]]:
    """Tokens with a digit that are neither an amount with decimals nor a date."""
    return [
        (match.start(), match.end(), match[0])
        for match in _TOKEN.finditer(text[:20_000])
        if not _AMOUNT.fullmatch(match[0]) and not _DATE.fullmatch(match[0])
    ]


def looks_like_identifier(text: str) -> bool:
    """One to three tokens, a digit in them, and nothing of a sentence."""
    said = text.strip(" .,;:#")
    tokens = said.split()
    if not 1 <= len(tokens) <= 3 or not any(each.isdigit() for each in said) or len(said) > 40:
        return False
    return all(re.fullmatch(r"[\w/.#()\-–]+", token) for token in tokens)
