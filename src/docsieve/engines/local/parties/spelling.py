"""Corrects what OCR often misreads in names and addresses, where the text itself shows the printed form."""

import re

_LEGAL_FORM = re.compile(r"\bS[DCO0I]N(\.?) [BD8]H[DUO0]\b")
_SHORT_FORM = re.compile(r"\b5/B\b")
_BRACKETS = str.maketrans("{}", "()")
_SPACE_INSIDE = re.compile(r"(?<=\()\s+|\s+(?=\))")
_NO_SPACE_AFTER = re.compile(r"(?<=\))(?=[^\W\d_]{2})")
_INITIALS = re.compile(r"\b([A-Z01]\.)\s?(?=[A-Z01]\.)")
_WORD_AFTER_INITIALS = re.compile(r"(?<=[A-Z]\.[A-Z]\.)(?=[A-Z][^\W\d_])")
_STOP_BEFORE_POSTCODE = re.compile(r"(?<=[^\W\d_])([aeiou][^\W\d_]{0,2})\.(?= \d{5}\b)", re.I)
"""After a word, not after an abbreviation such as `Blvd.` or `St.`"""

_QUOTE_BEFORE = re.compile(r"(?:(?<=[\s,])|^)['`´](?=[^\W\d_])")
_WORD = re.compile(r"[^\W_]+")
_DIGIT_IN_WORD = re.compile(r"(?<=[^\W\d_])[015](?![0-9])|^[015](?=[^\W\d_]{3})")
_LETTER_IN_NUMBER = re.compile(r"(?<=\d)[OoIl](?=\d|$)")
_CAPITAL = dict(zip("015", "OIS", strict=True))
_SMALL = dict(zip("015", "ols", strict=True))
_DIGIT = dict(zip("OoIl", "0011", strict=True))
_MIN_LETTERS = 4
_MIN_DIGITS = 2


def corrected(text: str) -> str:
    text = _SPACE_INSIDE.sub("", text.translate(_BRACKETS))
    text = _NO_SPACE_AFTER.sub(" ", text)
    text = _WORD_AFTER_INITIALS.sub(" ", _INITIALS.sub(_initial, text))
    if text.count("'") + text.count("`") + text.count("´") == 1:
        text = re.sub(r",(?=\w)", ", ", _QUOTE_BEFORE.sub("", text)) if _QUOTE_BEFORE.search(text) else text
    text = _STOP_BEFORE_POSTCODE.sub(r"\1,", text)
    text = _SHORT_FORM.sub("S/B", _LEGAL_FORM.sub(r"SDN\1 BHD", text))
    return _WORD.sub(_plain, text)


def _initial(match: re.Match[str]) -> str:
    return match[1].replace("0", "O").replace("1", "I")


def _plain(word: re.Match[str]) -> str:
    """Correct a digit among letters, as in `Leve1`, and a letter among digits, as in `4330O`."""
    text = word[0]
    letters, digits = sum(map(str.isalpha, text)), sum(map(str.isdigit, text))
    if letters >= _MIN_LETTERS and digits == 1:
        capital = sum(map(str.isupper, text)) == letters
        return _DIGIT_IN_WORD.sub(lambda found: _letter(found, capital), text)
    if digits >= _MIN_DIGITS and letters <= digits // 2:
        return _LETTER_IN_NUMBER.sub(lambda found: _DIGIT[found[0]], text)
    return text


def _letter(found: re.Match[str], capital: bool) -> str:
    return (_CAPITAL if capital or found.start() == 0 else _SMALL)[found[0]]
