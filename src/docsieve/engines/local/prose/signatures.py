"""Who signed a document, and as what: after `/s/`, next to `Name:` and `Title:`, or under the headings of a form."""

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass

from docsieve.engines.local.fields.candidates import Scene
from docsieve.engines.local.fields.spans import Span
from docsieve.engines.local.page.columns import above, below
from docsieve.engines.local.page.view import DocumentView, PageView, Piece, Row, Token, said, shared
from docsieve.engines.local.prose.questions import is_caption, is_rule
from docsieve.values.dates import find_dates
from docsieve.values.names import company_clue, person_clue

MARKED = 0.88
HEADED = 0.86
LABELED = 0.84
CAPTIONED = 0.78
UNDER_RULE = 0.7
CLOSING = 0.66
_LINES = 4
_REACH = 3.0
_MAX_TITLE_WORDS = 9
_MIN_PERSON = 0.6
_MAX_SIGNERS = 12
_MAX_CAPTION_WORDS = 3
_MIN_RULE = 8
_DATED_ROWS = 5
_MIN_PROSE = 9
_MARK = re.compile(
    r"[/\[(|][sS5](?-i:[/\])|lI1])|/s/(?P<rest>\w.*)|gez\.|fdo\.:?|sgd\.?|\(?signed\)?:|a\)",
    re.I,
)
_SIGNATURE = re.compile(r"\W*(?:signature|unterschrift|assinatura|firma|sign here)\b", re.I)
_NAME = re.compile(
    r"\W*(?P<label>(?:print(?:ed)?|typed?|type or print(?:ed)?|full)?\s?names?(?:\s?(?:and|&|/)\s?title)?"
    r"(?: of (?:sign\w+|officer))?|name und (?:funktion|titel|stellung)|nome(?: e cargo)?|nombre(?: y cargo)?"
    r"|nom(?: et (?:qualité|fonction))?)\s?:",
    re.I,
)
_OF_NAMES = re.compile(
    r"\b(?:signature|(?:print|type)\w*\b.{0,9}\bname|name (?:and|&) title|unterschrift|assinatura|nome e cargo"
    r"|firma)\b",
    re.I,
)
_NAME_HEAD = re.compile(r"\W*(?:print\w* |type\w* |full )?(?:name|nome|nombre|nom)\b", re.I)
_TITLE_HEAD = re.compile(r"\W*(?:title|position|capacity|funktion|cargo|fonction|qualité)\b", re.I)
_TITLE_LABEL = re.compile(
    r"\W*(?:title|its|position|capacity|funktion|stellung|cargo|fonction|qualité)\s?:\s?"
    r"|\W*(?:als|na qualidade de|en calidad de|en qualité de)\s",
    re.I,
)
_BY = re.compile(r"\W*(?:by|por|par|durch|per)\s?:\s?", re.I)
_OATH = re.compile(
    r"\b(?:undersigned|perjury|in witness|truly yours|sincerely|certif(?:y|ies)|swears?|affirms?|versicher\w*|erklär\w*"
    r"|declar[ao])\b",
    re.I,
)
_GREETING = re.compile(
    r"\b(?:sincerely|regards|truly|faithfully|respectfully|grüße\w*|gruß|hochachtungsvoll|cordialement|salutations|atentamente"
    r"|saludos?|atenciosamente|cumprimentos|saluti|groet\w*)\b",
    re.I,
)
_ON_BEHALF = re.compile(r"\b(?:on behalf of|im namen|namens|au nom de|em nome de|en nombre de|por)\W*$", re.I)
TITLE = re.compile(
    r"\b(?:president|vice|director|partner|officer|secretary|treasurer|counsel|manager|chair\w*|attorney|member|principal"
    r"|chief|agent|owner|c[efot]o|trustee|representative|head|consultant|administrator|founder|associate|minister|consul"
    r"|ambassador|geschäftsführer\w*|vorstand\w*|prokurist\w*|leiter\w*|inhaber\w*|diretor\w*|director\w*|sóci\w+"
    r"|procurador\w*|gerente|apoderad\w+|administrador\w*|gérant\w*|président\w*|directeur|directrice|tesoureir\w+)\b",
    re.I,
)
_SUFFIX = re.compile(r"\W*(?:jr|sr|ii|iii|esq|m\.?d|ph\.?d)\.?,?", re.I)
SIGNED_BY = re.compile(
    r"\b(?:sign(?:er|ator|ing (?:person|officer))\w*|(?:signed|executed) by|who sign\w*|undersigned"
    r"|unterzeichne[rt]\w*|gezeichnet|signatári\w+|assinad[oa] por|firmad[oa] por|firmante\w*|signataire\w*)\b",
    re.I,
)
TITLED = re.compile(r"\b(?:title|position|capacity|function|job|role|office|funktion|cargo|fonction|qualité)\b", re.I)
_MACHINE = re.compile(r"e-?signed|electronically|signed|digitally", re.I)


@dataclass(frozen=True, slots=True)
class Part:
    tokens: Sequence[Token]
    piece: Piece

    @property
    def text(self) -> str:
        return said(self.tokens).strip(" ,;:|_")


@dataclass(frozen=True, slots=True)
class Signer:
    name: Part
    title: Part | None
    score: float
    why: str


@dataclass(frozen=True, slots=True)
class Signed:
    """Who signed for a party."""

    name: Part
    title: Part | None
    party: Part


def signers(view: DocumentView) -> list[Signer]:
    """Those who signed, the surest first, otherwise in the order of the pages."""
    found: list[Signer] = []
    for page in view.pages:
        for row in page.rows:
            found += _headed(row, page)
            for piece in row.pieces:
                found += _by_piece(piece, page)
            if len(found) >= _MAX_SIGNERS:
                break
        if not found:
            found += [*_closing(page), *_after_greeting(page)]
    return sorted(found, key=lambda signer: -signer.score)


def signing_companies(view: DocumentView) -> Iterator[Piece]:
    """Lines that are a company with room for its signature below, or after `for and on behalf of`."""
    for page in view.pages:
        for piece in page.pieces:
            if len(piece.tokens) > _MAX_TITLE_WORDS or company_clue(piece.text) < 1.0:
                continue
            over = above(piece, page)
            under = below(piece, page, limit=2, gap=3.0)
            if (over is not None and _ON_BEHALF.search(over.head)) or any(_is_signed(each) for each in under):
                yield piece


def signed_for(view: DocumentView, parties: Collection[str]) -> Iterator[Signed]:
    """Persons right under a company or a party that is named in a line of its own."""
    seen: set[tuple[str, str]] = set()
    for page in view.pages:
        for piece in page.pieces:
            party = _party_in(piece, parties) if len(piece.tokens) <= _MAX_TITLE_WORDS else None
            under = below(piece, page, limit=_LINES, gap=_REACH, first_gap=2 * _REACH) if party is not None else ()
            name = _first_person(under, parties)
            if party is not None and name is not None and (_bare(name).text, party.text) not in seen:
                seen.add((_bare(name).text, party.text))
                title = _title_in(name.tokens, name.piece) or _title_under(name, page)
                yield Signed(_bare(name), title, party)


def _party_in(piece: Piece, parties: Collection[str]) -> Part | None:
    """The name of a party in a line that says little else: `For Oak Homes LLC:`; or the line, if it is a company."""
    for name in parties:
        words = name.split()
        for at in range(len(piece.tokens) - len(words) + 1):
            part = Part(piece.tokens[at : at + len(words)], piece)
            if part.text == name:
                return part
    return Part(piece.tokens, piece) if company_clue(piece.text.strip(" ,;:")) == 1.0 else None


def _first_person(lines: Iterable[Piece], parties: Collection[str]) -> Part | None:
    """The first line that is a person, before another party."""
    for line in lines:
        label = _BY.match(line.head) or _NAME.match(line.head)
        tokens = _after(line, label.end()) if label is not None else line.tokens
        if len(tokens) > _MAX_TITLE_WORDS or line.text in parties or company_clue(line.text) == 1.0:
            return None
        if (name := _person(tokens, line)) is not None:
            return name
    return None


def _is_signed(piece: Piece) -> bool:
    return bool(_BY.match(piece.head) or _MARK.match(piece.head) or _SIGNATURE.match(piece.head)) or (
        is_rule(piece) and len(piece.text) >= _MIN_RULE
    )


def signing_dates(signed: Sequence[Signer], scene: Scene) -> Iterator[Span]:
    """Dates next to signatures, the nearest to each first."""
    for signer in signed:
        piece = signer.name.piece
        rows = scene.pages[piece.document, piece.page].rows
        near = range(max(0, piece.row - _DATED_ROWS), min(len(rows), piece.row + _DATED_ROWS + 1))
        for at in sorted(near, key=lambda row: abs(row - piece.row)):
            for other in rows[at].pieces:
                yield from scene.spans.within("date", other)[:1]


def _by_piece(piece: Piece, page: PageView) -> Iterator[Signer]:
    if len(piece.tokens) > 14:
        return
    name: Part | None = None
    score, why = 0.0, ""
    if (tokens := _marked(piece, page)) is not None:
        name, score, why = _person(*tokens), MARKED, "signed"
    elif (label := _NAME.match(piece.head)) is not None and _near_signature(piece, page):
        name = _person(_after(piece, label.end()) or _right(piece, page), piece)
        score, why = LABELED, f"after '{label.group().strip()}'"
    elif (is_caption(piece) or len(piece.tokens) <= _MAX_CAPTION_WORDS) and _OF_NAMES.search(piece.head):
        near = [each for each in (_beyond_rule(piece, page, above), _beyond_rule(piece, page, _first_below)) if each]
        name = next((each for other in near if (each := _person(other.tokens, other)) is not None), None)
        score, why = CAPTIONED, f"at '{piece.text[:40]}'"
    elif is_rule(piece) and len(piece.text) >= _MIN_RULE and (under := _first_below(piece, page)) is not None:
        name = _person(under.tokens, under)
        score, why = UNDER_RULE, "under a line to sign on"
    if name is None:
        return
    title = _title_in(name.tokens, name.piece) or _title_under(name, page)
    yield Signer(_bare(name), title, score, why)


def _closing(page: PageView) -> Iterator[Signer]:
    """Persons with their titles after the last paragraph of a page, where no line to sign on was read."""
    long = [at for at, row in enumerate(page.rows) if len(row.text.split()) >= _MIN_PROSE]
    sworn = next((at for at in long if _OATH.search(page.rows[at].text)), None)
    last = sworn if sworn is not None else max(long, default=len(page.rows))
    for row in page.rows[last + 1 :]:
        for piece in row.pieces:
            name = _person(piece.tokens, piece)
            title = (_title_in(name.tokens, piece) or _title_under(name, page)) if name is not None else None
            if name is not None and title is not None and TITLE.search(title.text):
                yield Signer(_bare(name), title, CLOSING, "at the end")


def _after_greeting(page: PageView) -> Iterator[Signer]:
    """The person named after the greeting of a letter, with the line under the name."""
    for row in page.rows:
        piece = row.pieces[0]
        if len(piece.tokens) > _MAX_TITLE_WORDS or _GREETING.search(piece.head) is None:
            continue
        for under in below(piece, page, limit=3, gap=5.0):
            if (name := _person(under.tokens, under)) is not None:
                last = below(under, page, limit=1, gap=2.5)
                title = Part(last[0].tokens, last[0]) if last and len(last[0].tokens) <= _MAX_TITLE_WORDS else None
                yield Signer(_bare(name), title, CLOSING, f"after '{piece.text[:40]}'")
                return


def _beyond_rule(piece: Piece, page: PageView, step: Callable[[Piece, PageView], Piece | None]) -> Piece | None:
    near = step(piece, page)
    return step(near, page) if near is not None and is_rule(near) else near


def _first_below(piece: Piece, page: PageView) -> Piece | None:
    return next(iter(below(piece, page, limit=1, gap=2.2)), None)


def _marked(piece: Piece, page: PageView) -> tuple[Sequence[Token], Piece] | None:
    """The words after a mark such as `/s/`, in its piece or the next one."""
    for at, token in enumerate(piece.tokens[:4]):
        mark = _MARK.fullmatch(token.text)
        if mark is None:
            continue
        if mark["rest"]:
            return (_without_mark(token, mark.start("rest")), *piece.tokens[at + 1 :]), piece
        if at + 1 < len(piece.tokens):
            return piece.tokens[at + 1 :], piece
        row = page.rows[piece.row].pieces
        return (row[piece.place + 1].tokens, row[piece.place + 1]) if piece.place + 1 < len(row) else None
    return None


def _without_mark(token: Token, start: int) -> Token:
    return Token(token.text[start:], token.box, token.names)


def _headed(row: Row, page: PageView) -> Iterator[Signer]:
    """`Date`, `Name and title`, `Signature` side by side, with the values under or over them."""
    if not any(_SIGNATURE.match(piece.head) and len(piece.tokens) <= 3 for piece in row.pieces):
        return
    head = next((piece for piece in row.pieces if _NAME_HEAD.match(piece.head) and len(piece.tokens) <= 6), None)
    if head is None or head.text.rstrip().endswith(":"):
        return
    titled = next((piece for piece in row.pieces if piece is not head and _TITLE_HEAD.match(piece.head)), None)
    for step in (1, -1):
        lines = list(_column(head, page, step))
        name = _person(lines[0].tokens, lines[0]) if lines else None
        if name is None:
            continue
        adjacent = next(_column(titled, page, step), None) if titled is not None else None
        title = _title_in(name.tokens, name.piece)
        if title is None and adjacent is not None:
            title = Part(adjacent.tokens, adjacent)
        elif title is None and step == 1 and len(lines) > 1 and _is_title(lines[1].tokens):
            title = Part(lines[1].tokens, lines[1])
        where = "below" if step == 1 else "above"
        yield Signer(_bare(name), title, HEADED, f"{where} '{head.text[:40]}'")
        return


def _column(head: Piece, page: PageView, step: int) -> Iterator[Piece]:
    """The pieces under or over a heading, without lines to write on."""
    at, last = head.row + step, head.box
    while 0 <= at < len(page.rows) and abs(at - head.row) <= _LINES:
        row = page.rows[at]
        if max(row.box[1] - last[3], last[1] - row.box[3]) > _REACH * page.height:
            return
        for piece in row.pieces:
            if shared((piece.box[0], piece.box[2]), (head.box[0], head.box[2])) > 0.3 and not is_rule(piece):
                last = piece.box
                yield piece
                break
        at += step


def _person(tokens: Sequence[Token], piece: Piece) -> Part | None:
    """The words up to the end of a person's name and title, or None where they do not begin with a person."""
    words = []
    for token in tokens:
        if _MACHINE.match(token.text) or is_caption(Piece([token], token.box, 0, 0, token.text)):
            break
        if any(map(str.isalnum, token.text)):
            words.append(token)
    if not 2 <= len(words) <= 5 + _MAX_TITLE_WORDS:
        return None
    names = words[: _name_end(words)]
    if person_clue(said(names)) < _MIN_PERSON or TITLE.search(said(names)) or len(names) < 2:
        return None
    return Part(tuple(words), piece)


def _name_end(words: Sequence[Token]) -> int:
    """Where a name ends: at a comma that no suffix such as `Jr.` follows."""
    for at, token in enumerate(words[:-1]):
        if token.text.endswith((",", ";")) and not _SUFFIX.fullmatch(words[at + 1].text):
            return at + 1
    return len(words)


def _bare(name: Part) -> Part:
    return Part(name.tokens[: _name_end(name.tokens)], name.piece)


def _title_in(words: Sequence[Token], piece: Piece) -> Part | None:
    rest = words[_name_end(words) :]
    return Part(rest, piece) if rest and len(rest) <= _MAX_TITLE_WORDS else None


def _title_under(name: Part, page: PageView) -> Part | None:
    """The title in the lines under a name: after its label, or by its words."""
    for line in below(name.piece, page, limit=_LINES, gap=2.0):
        label = _TITLE_LABEL.match(line.head)
        if label is not None:
            tokens = _after(line, label.end())
            return Part(tokens, line) if tokens and len(tokens) <= _MAX_TITLE_WORDS else None
        same = _person(line.tokens, line)
        if same is not None and (title := _title_in(same.tokens, line)) is not None:
            return title
        if same is None and _is_title(line.tokens):
            return Part(line.tokens, line)
        if same is None and not (is_rule(line) or is_caption(line) or _NAME.match(line.head)):
            return None
    return None


def _is_title(tokens: Sequence[Token]) -> bool:
    text = said(tokens)
    return len(tokens) <= _MAX_TITLE_WORDS and TITLE.search(text) is not None and not find_dates(text)


def _after(piece: Piece, start: int) -> Sequence[Token]:
    """The words of a piece from a place in its text."""
    at, found = 0, []
    for token in piece.tokens:
        if at >= start:
            found.append(token)
        at += len(token.text) + 1
    return [token for token in found if any(map(str.isalnum, token.text))]


def _right(piece: Piece, page: PageView) -> Sequence[Token]:
    row = page.rows[piece.row].pieces
    return row[piece.place + 1].tokens if piece.place + 1 < len(row) else ()


def _near_signature(piece: Piece, page: PageView) -> bool:
    """Whether a line to sign on is near: `By:`, `/s/`, a rule, or the word itself."""
    for row in page.rows[max(0, piece.row - _LINES) : piece.row + _LINES]:
        for other in row.pieces:
            if _BY.match(other.head) or _SIGNATURE.match(other.head) or _MARK.match(other.head) or is_rule(other):
                return True
    return False
