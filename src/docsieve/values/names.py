"""Recognizes names of companies and persons."""

import re

_LEGAL_FORMS = re.compile(
    r"(?<![^\W_])(?:s[dc]n\.?\s?bhd|bhd|gmbh(?:\s?&\s?co\.?\s?kg(?:aa)?)?|g\.m\.b\.h|mbh|a\.?g|kg|ohg|e\.?\s?k|ug(?:\s\(haftungsbeschränkt\))?|e\.?v|gbr|se|"
    r"ltd|limited|plc|llp|l\.?p|n\.a|l\.l\.p|llc|l\.l\.c|inc|incorporated|corp|corporation|company|pty|pte|"
    r"s\.?a\.?r\.?l|s\.?a\.?s(?:\.?u)?|s\.a|sa|s\.?c\.?a|snc|eurl|s\.?r\.?l|s\.?p\.?a|s\.l|s\.l\.u|slu|s\.?a\.?u|lda|ltda|"
    r"b\.?v|n\.?v|v\.?o\.?f|a/s|aps|a\.?s|asa|ab|oy|oyj|sp\.?\s?z\s?o\.?\s?o|s\.?r\.?o|d\.?o\.?o|kft|zrt|nyrt|ood|eood|tbk|"
    r"co|k\.?k)(?![^\W_])",
    re.IGNORECASE,
)
_FORM_AT_END = re.compile(
    r",?\s(?P<form>(?:inc|ltd|llc|l\.l\.c|lp|l\.p|llp|l\.l\.p|plc|p\.l\.c|corp|co|gmbh|ag|kg|s\.?a|s\.?a\.?s|s\.?l|n\.?a|b\.?v|n\.?v))\.?"
    r"(?=,?\s|,?$)",
    re.IGNORECASE,
)
_STATE = re.compile(r"^(?:the\s)?(?:state|commonwealth|province)\sof\s(?=\w)", re.IGNORECASE)
# Forms that are also words or initials count only in the case that companies use.
_DOUBTFUL = re.compile(r"(?:co|se|sa|as|lp|na|ab|ag|kg|ug|oy|bv|nv|ev|ek|kk|company|limited)", re.IGNORECASE)
_TRADES = re.compile(
    r"\b(?:restaurant|restoran|cafe|café|hotel|bakery|bakeries|market|mart|supermarket|store|shop|pharmacy|apotheke|enterprise|trading|"
    r"perniagaan|syarikat|kedai|industries|services|solutions|bank|versicherung|insurance|university|hospital|clinic|studio|motors?|"
    r"hardware|stationery|books?|foods?|grill|kitchen|pizza|coffee|bar|group|holdings?|systems|technologies|consulting|partners)\b",
    re.IGNORECASE,
)
_PERSON_TITLE = re.compile(
    r"^(?:mr|mrs|ms|miss|dr|prof|herr|frau|hr|fr|m|mme|mlle|sr|sra|sig|dott|pan|pani)\.?\s+(?=[A-ZÀ-Ý])", re.IGNORECASE
)
_NAME_WORD = re.compile(r"[A-ZÀ-ÝŁŚŻŹĆČŠŽ][\w'’\-]*\.?")
_PARTICLE_WORDS = "von van der den de del della di da dos du la le zu zum bin binti a/l a/p al el ter"
_PARTICLES = frozenset(_PARTICLE_WORDS.split())


def plain_name(text: str) -> str:
    """The text without punctuation of legal forms: `Kite, Inc.` is `Kite Inc`, `Oak & Co., L.P.` `Oak and Co LP`.

    A state is the same with and without the word: `State of Texas`.
    """
    joined = _STATE.sub("", text).replace(" & ", " and ")
    return _FORM_AT_END.sub(lambda form: " " + re.sub(r"\W", "", form["form"]), joined)


def company_clue(text: str) -> float:
    """Score how much a text looks like a company name: 1 with a legal form, 0.6 with a trade word, else 0."""
    said = text[:200]
    for match in _LEGAL_FORMS.finditer(said):
        doubtful = _DOUBTFUL.fullmatch(match[0].replace(".", "").replace(" ", ""))
        if match.start() > 0 and (not doubtful or not match[0].islower()):
            return 1.0
    return 0.6 if _TRADES.search(said) else 0.0


def person_clue(text: str) -> float:
    """Score how much a text looks like a person's name: two to five capitalized words without digits; a title helps."""
    said = text.strip(" .,;:")[:120]
    if any(each.isdigit() for each in said) or company_clue(said) == 1.0:
        return 0.0
    titled = _PERSON_TITLE.match(said)
    words = said[titled.end() if titled else 0 :].replace(",", " ").split()
    if not 1 <= len(words) <= 5:
        return 0.0
    names = [word for word in words if word.casefold() not in _PARTICLES]
    if not names or not all(_NAME_WORD.fullmatch(word) for word in names):
        return 0.0
    if titled:
        return 1.0
    return 0.6 if 2 <= len(words) <= 4 else 0.2
