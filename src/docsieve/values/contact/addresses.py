"""Recognizes postal addresses."""

import re
import unicodedata

_STREET = re.compile(
    r"\b(?:street|road|avenue|boulevard|lane|drive|highway|square|court|terrace|parkway|suite|floor|building|plaza|st|rd|ave|blvd|dr|hwy|ln|"
    r"rue|allée|chemin|quai|cours|calle|avda|avenida|paseo|plaza|via|viale|corso|piazza|rua|travessa|ulica|ul|aleja|al|"
    r"jalan|jln|lorong|taman|bandar|kampung|kawasan|lot|no|blok|block|unit|level|persiaran|"
    r"platz|allee|weg|gasse|postfach|p\.?\s?o\.?\s?box|apt|apartment)\b\.?",
    re.IGNORECASE,
)
_COMPOUND_STREET = re.compile(
    r"\b[^\W\d_]{2,30}(?:straße|strasse|str\.|weg|platz|allee|gasse|ring|ufer|damm|straat|laan|plein|weg|gata|gatan|vägen|vej|gade|katu|tie|utca)(?![^\W\d_])",
    re.IGNORECASE,
)
POSTCODE = re.compile(
    r"\b(?:[A-Z]{1,2}-)?\d{5}(?:-\d{4})?\b|\b\d{4}\s?[A-Z]{2}\b|\b[A-Z]{1,2}\d[A-Z\d]?\s?\d[A-Z]{2}\b|\b\d{2}-\d{3}\b|\b\d{3}\s\d{2}\b|\b\d{4,5}-\d{3}\b|\b[A-Z]{2,3}\s\d{4}\b"
    r"|\b[A-Z]\d[A-Z]\s?\d[A-Z]\d\b|\b(?:[A-Z]{1,2}-)?\d{4}\s+[A-ZÀ-Ý][a-zà-ÿ]+|\b\d{6}\b"
)
_UNIT = re.compile(r"(?:^|[\s,])#\s?[A-Z]?\d")
_HOUSE_NUMBER = re.compile(r"(?:^|[\s,])#?\d{1,5}\s?[a-zA-Z]?(?:\s?[-/]\s?\d{1,5}\s?[a-zA-Z]?)?(?=[\s,.]|$)")
_US_STATE = re.compile(r",?\s[A-Z]{2}\.?,?\s\d{5}\b")
# A town and a state or province. Abbreviations that also end names of firms and persons (CO, DC, MD, PA) are left out.
_TOWN_AND_STATE = re.compile(
    r"(?:[^\W\d_][\w.'’-]*\s){0,3}[^\W\d_][\w.'’-]*,\s?(?:A[KLRZ]|C[AT]|DE|FL|GA|HI|I[ADLN]|K[SY]|LA|M[AEINOST]|"
    r"N[CDEHJMVY]|O[HKR]|RI|S[CD]|T[NX]|UT|V[AT]|W[AIVY]|AB|BC|MB|NB|NL|NS|ON|PEI|QC|SK)\.?"
)
_AMOUNT = re.compile(r"\d[.,]\d{2}(?!\d)|[€$£]")


def address_clue(text: str) -> float:
    """Score from 0 to 1 how much one or more lines look like a postal address."""
    said = " ".join(text[:400].split())
    if not said or _AMOUNT.search(said):
        return 0.0
    score = 0.0
    if _STREET.search(said) or _COMPOUND_STREET.search(said) or _STREET.search(_without_accents(said)):
        score += 0.4
    if POSTCODE.search(said):
        score += 0.35
    if _HOUSE_NUMBER.search(said):
        score += 0.15
    if _UNIT.search(said):
        score += 0.3
    if _US_STATE.search(said):
        score += 0.2
    if _TOWN_AND_STATE.fullmatch(said):
        score += 0.5
    if said.count(",") >= 2:
        score += 0.15
    return min(score, 1.0) if any(each.isalpha() for each in said) else 0.0


def _without_accents(text: str) -> str:
    """For text without accents that OCR gave some."""
    return "".join(each for each in unicodedata.normalize("NFKD", text) if not unicodedata.combining(each))
