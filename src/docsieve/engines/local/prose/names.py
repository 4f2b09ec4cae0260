"""Names in running text, and the parties that a text introduces: `between Maple LLC, a company (the “Landlord”),"
" and …`."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from docsieve.values.names import company_clue, person_clue

_AFTER_COMMA = re.compile(
    r"(?:inc|incorporated|corp|co|llc|l\.l\.c|ltd|limited|lp|l\.p|llp|l\.l\.p|plc|n\.a|s\.a|s\.l|lda|ii|iii|jr|sr"
    r"|m\.d|ph\.d|esq)\.?,?",
    re.I,
)
_INSIDE_TEXT = "of the de del der den von van du des da do dos la le for für di"
_INSIDE = frozenset(_INSIDE_TEXT.split())
_JOINING = frozenset(("and", "und", "et", "y", "e", "&"))
_TOKEN = re.compile(r"\S+")
_SKIPPED = re.compile(
    r"(?:(?:the|der|die|das|la|le|les|el|los|a|o|as|os|one|company|firma|gesellschaft|société|sociedad|empresas?"
    r"|messrs\.?)\s"
    r"|l['’]|\(\d\)\s)*",
    re.I,
)
_GENERAL_TEXT = (
    "company companies party parties agreement recipient discloser disclosing receiving buyer seller landlord tenant"
    " lessor "
    "lessee employee employer client customer provider contractor consultant undersigned you we executive owner"
    " counterparty "
    "confidential information effective date whereas now therefore witness section article exhibit this that these"
    " such each "
    "any all no if in on at by dear sir madam ladies gentlemen purpose transaction representatives board director"
    " affiliate "
    "affiliates subsidiary subsidiaries state commonwealth his her its their"
)
_GENERAL = frozenset(_GENERAL_TEXT.split())
_OPENING_TEXT = (
    "between among zwischen entre by with in at en em an bei à por par from to von an dear re subject betreff"
)
_OPENING = frozenset(_OPENING_TEXT.split())
"""Words that are capitalized at the beginning of a sentence, but begin no name."""

_LOWER_FORMS = frozenset(("plc", "mbh", "gmbh", "llc", "inc"))
_MAX_WORDS = 14
_ARTICLE = r"(?:the |an? |der |die |das |la |le |el |o |l['’])?"
_ROLE = re.compile(
    rf"[(–—-]\s?[^()“\"„«»”]{{0,70}}?(?:[“\"„«]|,,|'')\s?{_ARTICLE}"
    r"(?P<quoted>[^\W\d][^”\"“»()]{1,40}?)[,.]?\s?(?:[”\"“»]|'')"
    r"|(?:hereinafter|nachfolgend|im Folgenden|ci-après|en adelante|doravante)(?: referred to as| called|"
    r" denominad[ao]|:)?,?\s"
    rf"[“\"„«]?\s?{_ARTICLE}(?P<bare>[A-ZÀ-Ý][\w ]{{2,40}}?)(?=[”\"“»),.;–]|\s(?:or|and|genannt|–))"
    rf"|\({_ARTICLE}(?P<plain>[A-ZÀ-Ý]\w{{2,30}})\)"
    r"|,?\s(?:\([^)]{0,40}\)\s)?(?:as|als)\s(?:the |an? )?(?P<as>[A-ZÀ-Ý][\w ]{2,40}?)(?=[,.;)]|$|\s(?:and|und)\s)"
)
_BETWEEN = re.compile(r"\b(?:between|among|zwischen|entre)\b(?:\s(?:and among|les soussignés)\b)?\s?:?\s", re.I)
_NEXT = re.compile(
    r"(?:\)|,|;|–)?\s(?:(?:and|und|et|y|e)|(?<=[),;.]\s)&)\s(?:between\s|de outro lado\s|de otra parte\s)?(?:\(\d\)\s)?"
    r"|[;:]\s(?=\(\d\)\s)|[”\"’»]\)[,;]\s(?=\S)(?!(?:and|und|et|y|e)\s)"
)
_OF_A_ENDS_AS_ARTICLE = re.compile(r"\s(?:The|This|Each|Die|Der|Das|La|Le|Les|El|Los|Las|As|Os|A|O)$")
_BEFORE_POSTCODE = re.compile(r",\s(?:[A-Z]{2}|[A-Z][a-z]+(?:\s[A-Z][a-z]+)?),?\s\d{5}\b")
_PLACE = re.compile(
    r"\b(?:laws?|state|commonwealth|province|republic|county|city|kingdom|resident|citizen)\s(?:of|in)\s(?:the\s)?$",
    re.I,
)
_ADDRESS = re.compile(
    r"(?:\b(?:at|in|of|à|en|em|situé|Sitz in|located at)\s"
    r"|^,\s)(?P<address>(?=[\dA-ZÀ-Ý])(?=[^(]{0,60}\d)[^(“–]{8,120}?)(?=\s?[(–]|$|,?\s(?:and|und|et|y|e)\s)"
)
_REACH = 260
_ENDS_AS_ARTICLE = re.compile(r"\s(?:The|This|Each|Die|Der|Das|La|Le|Les|El|Los|Las|As|Os|A|O)$")
_BEFORE_POSTCODE = re.compile(r",\s(?:[A-Z]{2}|[A-Z][a-z]+(?:\s[A-Z][a-z]+)?),?\s\d{5}\b")
_PLACE = re.compile(r"^\d{4,}(?:-\d+)?\s|,\s[A-Z]{2}(?:\s\d{5}(?:-\d{4})?)?$")
_OF_A_PLACE = re.compile(
    r"\b(?:laws?|state|commonwealth|province|republic|county|city|kingdom|resident|citizen)\s(?:of|in)\s(?:the\s)?$",
    re.I,
)
_ORGANIZED = re.compile(
    r"^,?\s\(?(?:of(?!\s(?:1[6-9]|20)\d\d\b)|an?|eine?|une|una|with|having|whose|located|organi[sz]ed|mit Sitz"
    r"|com sede|con domicilio)\b",
    re.I,
)
_DESCRIBED = re.compile(rf"{_ORGANIZED.pattern}|,?\s(?:and|or)\s(?:its|their|his)\b|,\s", re.I)
_BEGINS = re.compile(
    r"(?:^|\n|\b(?:between|among|by|with|of|to|from|concerning|for|an|zwischen|entre|mit|von)\s|\bundersigned,?\s"
    r"|[”\"’»]\)?,?\s+(?:(?:and|und|et|y|e)\s)?|\band\s|[;:.]\s|\s\d+[.)]\s|\(\d\)\s)"
    r"(?=\S)|(?P<loose>(?-i:\b[a-zà-ÿ]{2,}\s(?=[A-ZÀ-Ý])))",
    re.I,
)


@dataclass(frozen=True, slots=True)
class Named:
    """A name from `start` to `end` in the text; `company` if its form says so."""

    start: int
    end: int
    text: str
    company: bool


@dataclass(frozen=True, slots=True)
class Party:
    name: Named
    roles: tuple[tuple[str, int, int], ...] = ()
    address: tuple[int, int] | None = None


def name_at(text: str, start: int) -> Named | None:
    """The name that begins at a place, after articles."""
    begin = end = _skipped(text, start)
    words: list[str] = []
    closed = False
    for found in _TOKEN.finditer(text, begin, begin + 200):
        token = found.group()
        word = token.rstrip(',;:.)”"»’')
        if (
            not word
            or token[0] in '(“"„«–'
            or len(words) >= _MAX_WORDS
            or (words and text[found.start() - 1] in "\n\t")
        ):
            break
        if closed and not _AFTER_COMMA.fullmatch(token):
            break
        if word in _INSIDE or word in _JOINING:
            if not words or not _goes_on(
                text,
                found.end(),
                joined=word in _JOINING,
                closely=word == "&",
                complete=company_clue(" ".join(words)) == 1.0,
            ):
                break
        elif not (
            _is_capital(word) or word in _LOWER_FORMS or (not words and word[0].isdigit() and not word.isdigit())
        ):
            break
        words.append(token)
        end = found.start() + len(token.rstrip(',;:)”"»'))
        if token[-1] in ';:)”"»' or (token[-1] == "." and not _is_abbreviation(word, text[found.end() :])):
            break
        closed = token[-1] == ","
    said = text[begin:end]
    if (
        not words
        or words[0].casefold() in _OPENING
        or _PLACE.search(said)
        or _BEFORE_POSTCODE.match(text, end)
        or all(word.casefold() in _GENERAL for word in re.findall(r"[^\W\d_]+", said))
        or not re.search(r"[^\W\d_]{2}", said)
    ):
        return None
    if said.endswith("."):
        form = company_clue(said) == 1.0 or re.search(r"\b\w\.$|\b(?:Jr|Sr|Esq)\.$", said)
        end -= 0 if form else 1
    if len(words) > 1 and (article := _ENDS_AS_ARTICLE.search(text[begin:end])) is not None:
        end = begin + article.start()
    clue = company_clue(text[begin:end])
    if clue == 1.0 and begin - start == 4 and text.startswith("The ", start):
        begin = start
    return Named(begin, end, text[begin:end], clue >= 0.6)


def _is_capital(word: str) -> bool:
    return word[0].isupper() or word[1:2].isupper()


def _skipped(text: str, start: int) -> int:
    skipped = _SKIPPED.match(text, start)
    return skipped.end() if skipped is not None else start


def _goes_on(text: str, at: int, *, joined: bool, closely: bool, complete: bool) -> bool:
    """Whether a name continues after `of` or `and`: after `and` only up to a legal form, as in `Smith and Sons Ltd`."""
    after = _TOKEN.findall(text[at : at + 90])[:5]
    if joined and after[:1] and after[0].rstrip(".,") in ("Co", "Cie"):
        return True
    if complete or not after or not after[0][0].isupper():
        return False
    if not joined or closely:
        return True
    for number, token in enumerate(after):
        if not token[0].isupper() and token not in _JOINING:
            return False
        if number and company_clue(f"x {token}") == 1.0:
            return True
        if token[-1] in ",;:)":
            following = after[number + 1] if number + 1 < len(after) else ""
            return bool(_AFTER_COMMA.fullmatch(following))
    return False


def _is_abbreviation(word: str, after: str) -> bool:
    if len(word) <= 2 or "." in word:
        return True
    return (
        company_clue(f"x {word}") == 1.0
        and not re.match(r"\s(?:The|This|It|Each|In)\b", after)
        and after[:2].strip() != ""
    )


def parties_of(text: str, start: int, end: int) -> list[Party]:
    """The parties that a sentence lists after `between`, in their order; none if it lists fewer than two."""
    opening = _BETWEEN.search(text, start, end)
    if opening is None:
        return []
    found: list[Named] = []
    at = opening.end()
    while at < end and len(found) < 12:
        named = name_at(text, at)
        if named is not None and named.end <= end and (not found or _is_party(named, text)):
            found.append(named)
            at = named.end
        following = _next(text, at, end)
        if following is None:
            break
        at = following
    return [
        _party(text, named, found[number + 1].start if number + 1 < len(found) else end)
        for number, named in enumerate(found)
    ]


def _next(text: str, at: int, end: int) -> int | None:
    """Where the next party may begin: after an `and` outside of parentheses."""
    for found in _NEXT.finditer(text, at, end):
        between = text[at : found.start() + 1]
        if between.count("(") <= between.count(")"):
            return found.end()
    return None


def _is_party(named: Named, text: str) -> bool:
    after = text[named.end : named.end + 90]
    if named.company or _ORGANIZED.match(after) or re.match(r",?\s?[(–]", after):
        return True
    return person_clue(named.text) >= 0.6


def _party(text: str, named: Named, end: int) -> Party:
    after = text[named.end : min(end, named.end + 2 * _REACH)]
    address = _ADDRESS.search(after)
    place = (named.end + address.start("address"), named.end + address.end("address")) if address else None
    return Party(named, tuple(_roles(after, named.end)), place)


def _roles(after: str, start: int) -> Iterator[tuple[str, int, int]]:
    for found in _ROLE.finditer(after):
        group = next(name for name, value in found.groupdict().items() if value)
        yield found[group], start + found.start(group), start + found.end(group)


def defined_parties(text: str, start: int, end: int) -> Iterator[Party]:
    """Names directly followed by their role: `Maple LLC, a company (the “Landlord”)`, and `Oak Bank, as Agent`."""
    for found in _ROLE.finditer(text, start, end):
        group = next(name for name, value in found.groupdict().items() if value)
        named = _before(text, max(start, found.start() - _REACH), found.start())
        if named is not None:
            yield Party(named, ((found[group], found.start(group), found.end(group)),))


def _before(text: str, start: int, end: int) -> Named | None:
    """The last name that begins a phrase and is followed by nothing but its description up to `end`."""
    best: Named | None = None
    has_company = max(company_clue(text[start:end]), company_clue(text[max(start, end - 200) : end])) == 1.0
    for found in _BEGINS.finditer(text, start, end):
        if (found["loose"] and not has_company) or (best is not None and found.end() < best.end):
            continue
        named = name_at(text, found.end())
        if named is None or named.end > end or _OF_A_PLACE.search(text[max(0, named.start - 40) : named.start]):
            continue
        if found["loose"] and company_clue(named.text) < 1.0:
            continue
        between = text[named.end : end]
        alone = not between.strip(" ,")
        if not alone and (not _DESCRIBED.match(between) or _ROLE.search(between) is not None):
            continue
        likely = named.company or person_clue(named.text) >= 0.6 or (alone and len(named.text) > 2)
        if likely and (best is None or (named.start > best.end and (named.company or not best.company))):
            best = named
    return best
