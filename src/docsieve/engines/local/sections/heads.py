"""Names at the head and the foot of a document for fields that ask for an organization, titles at its head, and the
line above a salutation for the subject of a letter: all without a label."""

import re
from collections.abc import Iterator

from docsieve.engines.local.fields.candidates import Candidate, Scene, identities
from docsieve.engines.local.page.columns import ends_as_label
from docsieve.engines.local.page.view import PageView, Piece, said, spot
from docsieve.engines.local.prose.topics import SALUTATION
from docsieve.engines.local.vocabulary.lexicon import GENERIC
from docsieve.engines.local.vocabulary.matcher import means_something
from docsieve.engines.local.vocabulary.targets import Target
from docsieve.values.names import company_clue

_ORGANIZATIONS_TEXT = (
    "company organization authority agency office donor bank insurer employer supplier seller carrier association"
    " beneficiary lender operator institution committee court department school university hospital foundation"
    " publisher"
    " brand center laboratory contractor provider funder issuer"
)
_ORGANIZATIONS = frozenset(_ORGANIZATIONS_TEXT.split())
_OF_PERSONS = frozenset(("name", "full", "legal", "first", "last", "given", "surname", "candidate", "person"))
_DOCUMENTS_TEXT = (
    "application statement certificate agreement contract report invoice receipt notice form request order letter"
    " declaration antrag bescheinigung vertrag bericht rechnung quittung formular demande certificat contrat facture"
    " solicitud certificado contrato factura formulario recibo"
)
_DOCUMENTS = frozenset(_DOCUMENTS_TEXT.split())
_HEAD_ROWS = 12
_TITLE_ROWS = 6
_MAX_WORDS = 8
_OF_ITS_KIND, _COMPANY, _LINE, _SUBJECT = 0.85, 0.6, 0.4, 0.7
_ORDER = 0.02
_TITLES = frozenset(("title", "heading", "headline", "subject", "topic", "event", "product", "document", "position"))
_HEADED, _TITLE, _LESS_LARGE = 0.8, 0.62, 0.12
_MAX_TITLES = 3
_LARGE = 1.2
_SUBJECT_LABEL = re.compile(
    r"\W*(?:re|ref|subject|betreff|betr|objet|concerne|asunto|assunto|oggetto|onderwerp)\.?\s?:\s?", re.I
)


def head_candidates(target: Target, scene: Scene) -> Iterator[Candidate]:
    page = next(iter(scene.view.pages), None)
    if page is None or target.party is not None or "person" in target.words:
        return
    others = {*target.words} - _OF_PERSONS
    asked = (target.type == "name" and bool(others)) or any(
        _ORGANIZATIONS.intersection(phrase) for phrase, _ in target.own
    )
    if target.type in ("text", "name"):
        found = _organizations(target, page, scene)
        yield from found if asked else (each for each in found if each.score > _COMPANY)
    if target.type in ("text", "name") and _TITLES.intersection(target.words):
        yield from _titles(target, page)
    if "subject" in target.words and target.type == "text":
        yield from _subject(target, page)


def _organizations(target: Target, page: PageView, scene: Scene) -> Iterator[Candidate]:
    """Lines that may be names. Those that say what they are, such as `Ashby Rowing Club` for a club, are surer."""
    others = {*target.words} - GENERIC
    head = [piece for row in page.rows[:_HEAD_ROWS] for piece in row.pieces]
    foot = [piece for row in page.rows[_HEAD_ROWS:][-2:] for piece in row.pieces]
    for at, piece in enumerate(each for each in (*head, *foot) if _may_name(each, scene)):
        of_its_kind = any(name in others for token in piece.tokens for name in token.names)
        worth = _OF_ITS_KIND if of_its_kind else _COMPANY if company_clue(piece.text) > 0 else _LINE
        yield _candidate(target, piece, 0, worth - _ORDER * min(at, 10), "a name at the head or the foot")


def _titles(target: Target, page: PageView) -> Iterator[Candidate]:
    """The lines of the upper half of the first page that are larger than its text, the largest first.

    If none is, a field that is no more than a title gets a line in capitals that is alone in one of the first rows.
    """
    worth = _HEADED if target.words == ("title",) else _TITLE
    upper = [piece for piece in page.pieces if piece.middle < page.page.height / 2 and not ends_as_label(piece)]
    large = [piece for piece in upper if piece.height > _LARGE * page.height and any(map(str.isalpha, piece.text))]
    if not large and worth == _HEADED:
        alone = (row.pieces[0] for row in page.rows[:_TITLE_ROWS] if len(row.pieces) == 1)
        large = [piece for piece in alone if piece.heading or piece.text.isupper()][:1]
    for at, piece in enumerate(sorted(large, key=lambda each: -each.height)[:_MAX_TITLES]):
        yield _candidate(target, piece, 0, worth - _LESS_LARGE * at, "a title at the head")


def _may_name(piece: Piece, scene: Scene) -> bool:
    words = [token.text for token in piece.tokens]
    large = sum(word[:1].isupper() for word in words)
    return (
        len(words) <= _MAX_WORDS
        and not piece.is_label
        and not ends_as_label(piece)
        and 2 * large >= len(words)
        and not piece.text[:1].isdigit()
        and sum(map(str.isdigit, piece.text)) <= 2
        and ":" not in piece.text
        and (not piece.text.endswith(".") or company_clue(piece.text) == 1.0)
        and (_DOCUMENTS.isdisjoint(word.lower() for word in words) or company_clue(piece.text) > 0)
        and scene.looks_like_label(identities(piece.tokens)) < _LINE
        and not any(means_something(clue.words) for clue in scene.clues_at(piece, 0))
    )


def _subject(target: Target, page: PageView) -> Iterator[Candidate]:
    for row in page.rows[1:]:
        if SALUTATION.match(row.text) is None:
            continue
        for over in reversed(page.rows[max(0, row.pieces[0].row - 3) : row.pieces[0].row]):
            piece = over.pieces[0]
            label = _SUBJECT_LABEL.match(piece.text)
            if len(over.pieces) == 1 and (label is not None or not any(map(str.isdigit, piece.text))):
                first = len(piece.text[: label.end()].split()) if label is not None else 0
                yield _candidate(target, piece, first, _SUBJECT, "above the salutation")
                return
        return


def _candidate(target: Target, piece: Piece, first: int, worth: float, why: str) -> Candidate:
    tokens = piece.tokens[first:]
    return Candidate(
        target,
        said(tokens).strip(" ,;:|"),
        [spot(tokens, piece)],
        worth,
        f"{why} of page {piece.page}",
        "party",
        identities(tokens),
        match=worth,
    )
