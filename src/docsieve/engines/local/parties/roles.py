"""Sellers and buyers: names and addresses of the parties, by position, form and the words above them."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from docsieve.domain.schemas.fields import SchemaField
from docsieve.engines.local.fields.candidates import Candidate, Scene, identities
from docsieve.engines.local.fields.phrases import RIGHT, UNDER, UNLIKELY, Phrases
from docsieve.engines.local.page.columns import below, heads_columns, may_hold
from docsieve.engines.local.page.view import PageView, Piece, Token, said, spot
from docsieve.engines.local.parties.letterheads import Name, letter_blocks, lists_items, names_in
from docsieve.engines.local.parties.ownership import OF_ONE_PARTY, of_its_party, whole_numbers
from docsieve.engines.local.parties.postal import address_blocks, address_lines, labeled_lines
from docsieve.engines.local.parties.spelling import corrected
from docsieve.engines.local.vocabulary.concepts import ROLES
from docsieve.engines.local.vocabulary.matcher import Matcher
from docsieve.engines.local.vocabulary.targets import Target, targets_of
from docsieve.values.names import company_clue, person_clue

UNDER_NAME = 0.92
LABELED = 0.86
ALONE = 0.3
PERSON_FIRST = 0.42
_WHOSE = frozenset(("name", "full", "candidate", "applicant", "person"))
_FIRST_ROWS = 5
_MAX_PAGES = 3
_MAX_BLOCK_LINES = 7
_BUYER_WORDS = ROLES["buyer"] | {"bill"}
_SELLER_WORDS = frozenset(("seller", "supplier"))
PARTY_WORDS = frozenset(("phone", "fax", "email", "website", "iban", "bank", "registration"))


class Parties:
    """The parties of a document, found on first use."""

    def __init__(self, scene: Scene, phrases: Phrases) -> None:
        self._scene = scene
        self._phrases = phrases
        self._sellers: list[Name] | None = None
        self._blocks: dict[str, set[int]] | None = None
        self._letters: list[Name] | None = None

    def candidates(self, target: Target, matcher: Matcher) -> list[Candidate]:
        names = list(self._names(target, matcher))
        if target.party == "name":
            return [_name_candidate(target, name) for name in names]
        return list(self._addresses(target, names))

    def _names(self, target: Target, matcher: Matcher) -> Iterable[Name]:
        for label, score in self._phrases.labels(matcher):
            if label.page.number <= _MAX_PAGES and not _heads_a_list(label.piece, label.page):
                for name in _labeled(label.piece, label.end, score, label.worth, label.page):
                    name.label = score
                    yield name
        if target.role == "seller":
            yield from self.sellers()
        elif target.role == "buyer":
            yield from self._recipients()

    def persons(self, target: Target) -> Iterable[Candidate]:
        """The document's subject, if the field only asks for a name: a person's name in the first lines."""
        if not set(target.words) <= _WHOSE:
            return
        for page in self._scene.view.pages[:1]:
            first = [piece for row in page.rows[:_FIRST_ROWS] for piece in row.pieces]
            for piece in sorted(first, key=lambda each: -each.height)[:3]:
                name = Name(piece.tokens, piece, PERSON_FIRST, page, f"name at the head of page {page.number}")
                if person_clue(name.text) >= 0.6 and name.plausible and company_clue(name.text) == 0:
                    yield _name_candidate(target, name)
                    return

    def sellers(self) -> list[Name]:
        if self._sellers is None:
            pages = self._scene.view.pages[:1]
            self._sellers = [name for page in pages for name in names_in(page)]
        return self._sellers

    def own_values(self, target: Target, found: list[Candidate]) -> list[Candidate]:
        """For a field of one party, leave out values of the other one."""
        found = whole_numbers(target, found)
        if target.role not in ("seller", "buyer"):
            return found
        blocks = self._party_blocks()
        if target.name in OF_ONE_PARTY:
            return of_its_party(target, found, blocks)
        return [
            each
            for each in found
            if target.role == "seller"
            or each.span is None
            or id(each.span.piece) not in blocks["seller"]
            or (each.clue is not None and ROLES["buyer"] & set(each.clue.words))
        ]

    def _party_blocks(self) -> dict[str, set[int]]:
        if self._blocks is None:
            buyers = sorted(self._buyers(), key=lambda name: -name.score)[:1]
            named = {"seller": self.sellers()[:1], "buyer": buyers}
            self._blocks = {
                role: {id(piece) for name in names for piece in _block_of(name, role)} for role, names in named.items()
            }
            self._blocks["seller"] -= self._blocks["buyer"]
        return self._blocks

    def _buyers(self) -> Iterable[Name]:
        target = targets_of([SchemaField(("buyer_name",), "string")])[0]
        return self._names(target, Matcher(target))

    def _recipients(self) -> list[Name]:
        """Names above an unlabeled address, as in the window of a letter."""
        if self._letters is None:
            sellers = [name.text.casefold() for name in self.sellers()[:1]]
            self._letters = [
                name
                for page in self._scene.view.pages[:1]
                for name in letter_blocks(page)
                if name.text.casefold() not in sellers and not _is_seller(name)
            ]
        return self._letters

    def _addresses(self, target: Target, names: Sequence[Name]) -> Iterable[Candidate]:
        yield from self._labeled_addresses(target)
        for name in sorted(names, key=lambda each: -each.score)[:4]:
            lines = address_lines(name)
            if not lines:
                continue
            score = min(name.score, 1.0) * UNDER_NAME
            yield _address(target, lines, name.page, score, f"address under '{name.text[:30]}'", name.label)
        for page in self._scene.view.pages[:1] if target.role == "seller" else ():
            for lines in address_blocks(page):
                yield _address(target, lines, page, ALONE, f"an address on page {page.number}", 0.0)

    def _labeled_addresses(self, target: Target) -> Iterable[Candidate]:
        """Addresses after a label for the address itself."""
        for label, score in self._phrases.labels(Matcher(replace(target, known={}))):
            if "address" not in label.piece.tokens[label.end - 1].names and label.worth < 1.0:
                continue
            lines = labeled_lines(label.piece, label.end, label.page)
            if lines:
                shown = said(label.piece.tokens[: label.end]).strip(" :")[:40]
                yield _address(target, lines, label.page, score * LABELED, f"address after '{shown}'", score)


def _address(
    target: Target,
    lines: Sequence[tuple[Sequence[Token], Piece]],
    page: PageView,
    score: float,
    why: str,
    label: float,
) -> Candidate:
    tokens = [token for run, _ in lines for token in run]
    text = _shown(said(tokens), page).strip(" ,;|●•·-")
    spots = [spot(run, piece) for run, piece in lines]
    return Candidate(target, text, spots, score, why, "party", identities(tokens), match=label)


def _labeled(piece: Piece, end: int, label: float, strength: float, page: PageView) -> Iterable[Name]:
    """The target of a label such as `Bill to`: a name, or a block of lines that contains the name."""
    shown = said(piece.tokens[:end]).strip(" :")[:40]
    rest = piece.tokens[end:]
    if any(any(map(str.isalnum, token.text)) for token in rest):
        name = Name(rest, piece, label * strength, page, f"after '{shown}' on page {page.number}")
        goes_on = name.text[:1].islower() and not piece.tokens[end - 1].text.endswith(":")
        if name.plausible and not goes_on:
            yield name
        return
    label *= strength
    row = page.rows[piece.row].pieces
    if piece.place + 1 < len(row):
        right = row[piece.place + 1]
        worth = label * (UNLIKELY if heads_columns(piece, page) else RIGHT)
        name = Name(right.tokens, right, worth, page, f"right of '{shown}' on page {page.number}")
        if name.plausible and may_hold(piece, right):
            yield name
    lines = below(piece, page, limit=6, gap=2.0, first_gap=2.8)
    for line in lines[:5]:
        if line.tokens[0].names[:1] == ("name",):
            tokens, owner = _rest_of_row(line, page)
            if tokens:
                yield Name(tokens, owner, label * RIGHT + 0.03, page, f"name in the block '{shown}'")
                return
    for at, line in enumerate(lines[:4]):
        name = Name(line.tokens, line, label * UNDER - 0.03 * at, page, f"below '{shown}' on page {page.number}")
        if name.plausible:
            yield name
            return


def _heads_a_list(piece: Piece, page: PageView) -> bool:
    """Whether the piece is over a column of a table with several rows: under it are items, not a party."""
    if piece.cell is None or piece.cell[1] > 0:
        return False
    table = page.page.tables[piece.cell[0]]
    return not piece.is_label and lists_items(table)


def _rest_of_row(line: Piece, page: PageView) -> tuple[Sequence[Token], Piece]:
    rest = [token for token in line.tokens[1:] if any(map(str.isalnum, token.text))]
    row = page.rows[line.row].pieces
    if rest or line.place + 1 >= len(row):
        return rest, line
    after = row[line.place + 1]
    return after.tokens, after


def _block_of(name: Name, role: str) -> Iterable[Piece]:
    """The lines below a party's name, up to where the other party's begin."""
    if role == "buyer":
        yield name.piece
    for line in below(name.piece, name.page, limit=_MAX_BLOCK_LINES):
        words = {word for token in line.tokens for word in token.names}
        if words & (_BUYER_WORDS if role == "seller" else _SELLER_WORDS):
            return
        yield line


def _is_seller(name: Name) -> bool:
    """Phone, bank and tax numbers are below the sender's name, not below the recipient's."""
    lines = below(name.piece, name.page, limit=_MAX_BLOCK_LINES)
    return any({word for token in line.tokens for word in token.names} & PARTY_WORDS for line in lines)


def _shown(text: str, page: PageView) -> str:
    return corrected(text) if page.page.origin == "ocr" else text


def _name_candidate(target: Target, name: Name) -> Candidate:
    return Candidate(
        target,
        _shown(name.text, name.page),
        [spot(name.tokens, name.piece)],
        name.score,
        name.why,
        "party",
        identities(name.tokens),
        match=name.label,
    )
