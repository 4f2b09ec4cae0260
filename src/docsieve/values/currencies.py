"""Currencies by their ISO 4217 code, their symbol, or their name."""

import re
from functools import cache

_CODES = """
AED AFN ALL AMD ANG AOA ARS AUD AWG AZN BAM BBD BDT BGN BHD BIF BMD BND BOB BRL BSD BTN BWP BYN BZD CAD CDF CHF CLP
CNY COP CRC CUP CVE CZK DJF DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GNF GTQ GYD HKD HNL HRK HTG HUF
IDR ILS INR IQD IRR ISK JMD JOD JPY KES KGS KHR KMF KPW KRW KWD KYD KZT LAK LBP LKR LRD LSL LTL LVL LYD MAD MDL MGA
MKD MMK MNT MOP MRU MUR MVR MWK MXN MYR MZN NAD NGN NIO NOK NPR NZD OMR PAB PEN PGK PHP PKR PLN PYG QAR RON RSD RUB
RWF SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT TND TOP TRY TTD TWD TZS UAH UGX USD UYU
UZS VES VND VUV WST XAF XCD XOF XPF YER ZAR ZMW ZWL DEM ATS FRF ITL ESP NLG BEF
"""
CODES = frozenset(_CODES.split())

SYMBOLS: dict[str, str] = {
    "US$": "USD", "U$S": "USD", "CA$": "CAD", "C$": "CAD", "A$": "AUD", "AU$": "AUD", "NZ$": "NZD", "S$": "SGD",
    "HK$": "HKD", "NT$": "TWD", "R$": "BRL", "MX$": "MXN", "RM": "MYR", "Rs.": "INR", "Rs": "INR", "Rp": "IDR",
    "zł": "PLN", "zl": "PLN", "Kč": "CZK", "Ft": "HUF", "SFr.": "CHF", "SFr": "CHF", "Fr.": "CHF", "лв": "BGN",
    "руб": "RUB", "грн": "UAH", "kn": "HRK", "lei": "RON", "TL": "TRY",
    "€": "EUR", "£": "GBP", "¥": "JPY", "￥": "JPY", "円": "JPY", "元": "CNY", "₹": "INR", "₽": "RUB", "₩": "KRW",
    "₺": "TRY", "₴": "UAH", "₱": "PHP", "฿": "THB", "₫": "VND", "₪": "ILS", "₦": "NGN", "₸": "KZT", "$": "USD",
}  # fmt: skip

_NAMES: dict[str, str] = {
    "euro": "EUR", "euros": "EUR", "eur": "EUR", "dollar": "USD", "dollars": "USD", "us dollar": "USD",
    "us dollars": "USD", "usd": "USD", "pound": "GBP", "pounds": "GBP", "pound sterling": "GBP",
    "pounds sterling": "GBP",
    "sterling": "GBP", "franken": "CHF", "schweizer franken": "CHF", "swiss franc": "CHF", "swiss francs": "CHF",
    "zloty": "PLN", "złoty": "PLN", "złotych": "PLN", "yen": "JPY", "japanese yen": "JPY", "yuan": "CNY",
    "renminbi": "CNY", "rupee": "INR", "rupees": "INR", "indian rupee": "INR", "ringgit": "MYR",
    "malaysian ringgit": "MYR", "canadian dollar": "CAD", "canadian dollars": "CAD", "australian dollar": "AUD",
    "australian dollars": "AUD", "singapore dollar": "SGD", "hong kong dollar": "HKD", "swedish krona": "SEK",
    "svenska kronor": "SEK", "danish krone": "DKK", "danske kroner": "DKK", "norwegian krone": "NOK",
    "norske kroner": "NOK", "forint": "HUF", "peso": "MXN", "mexican peso": "MXN", "real": "BRL", "reais": "BRL",
    "rand": "ZAR", "baht": "THB", "won": "KRW", "rubel": "RUB", "rouble": "RUB", "ruble": "RUB", "lira": "TRY",
}  # fmt: skip

# Used in Denmark, Norway, Sweden and Iceland: it marks money, but not which currency.
NAMELESS_SYMBOLS = ("kr.", "kr", "Kr")

_BY_LENGTH = sorted([*SYMBOLS, *NAMELESS_SYMBOLS], key=lambda symbol: (-len(symbol), symbol))
_CASEFOLDED_SYMBOLS = {symbol.casefold(): code for symbol, code in SYMBOLS.items()}
SYMBOL_PATTERN = "|".join(
    rf"(?<![^\W\d_]){re.escape(each)}(?![^\W\d_])" if each[-1].isalpha() or each[0].isalpha() else re.escape(each)
    for each in _BY_LENGTH
)
CODE_PATTERN = rf"(?<![^\W\d_])(?:{'|'.join(sorted(CODES))})(?![^\W\d_])"


def currency_of(text: str) -> str | None:
    """Return the ISO code that the text names; None for `kr` and other ambiguous or unknown names."""
    said = " ".join(text.split()).strip(" :()[]")
    if (code := said.upper().rstrip(".")) in CODES:
        return code
    return SYMBOLS.get(said) or _CASEFOLDED_SYMBOLS.get(said.casefold()) or _NAMES.get(said.casefold())


@cache
def _mark() -> re.Pattern[str]:
    # compiled when first used, because it takes 20 ms and most processes never do
    return re.compile(f"{CODE_PATTERN}|{SYMBOL_PATTERN}")


def find_currencies(text: str) -> list[tuple[int, int, str]]:
    """Find codes in capitals and symbols, with their positions."""
    found = []
    for match in _mark().finditer(text):
        if (code := currency_of(match[0])) is not None:
            found.append((match.start(), match.end(), code))
    return found
