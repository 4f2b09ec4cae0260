"""Organizations that a field names by their kind, such as its bank or hospital: names that say so themselves."""

import re
from collections.abc import Iterator
from itertools import islice

from docsieve.engines.local.fields.candidates import Candidate, Scene, identities
from docsieve.engines.local.page.view import PageView, Piece, Token, said, spot
from docsieve.engines.local.vocabulary.canon import folded
from docsieve.engines.local.vocabulary.targets import Target

_KINDS: dict[str, tuple[str, str]] = {
    "bank": (
        "bank banque banco banca",
        r"\w*bank(?:haus)?|banque|banco|banca|\w*sparkasse|caixa|caja|cassa|caisse|credit|building society|savings",
    ),
    "hospital": (
        "hospital clinic facility laboratory klinik clinica praxis practice",
        r"hospital|\w*klinik|\w*klinikum|\w*krankenhaus|clinic|clinica|clinique|medical (?:center|centre|group)|hopital"
        r"|centro medico|centre (?:medical|hospitalier)|ospedale|ziekenhuis"
        r"|labor|\w*laborator\w+|health (?:center|system)",
    ),
    "insurer": (
        "insurer insurance versicherer assureur aseguradora seguradora",
        r"insurance|assurance|\w*versicherung\w*|assurances?|seguros?|seguradora|aseguradora|mutual|assicurazion\w+",
    ),
    "school": (
        "university school college",
        r"universit\w+|universidad\w*|college|\w*hochschule|school|academy|institut\w*|ecole|escuela|escola",
    ),
}
_WORDS = {word: kind for kind, (words, _) in _KINDS.items() for word in words.split()}
_NAMES = {kind: re.compile(rf"(?<![^\W_])(?:{names})(?![^\W_])") for kind, (_, names) in _KINDS.items()}
_OTHER_WORDS = frozenset(("name", "company", "medical", "issuing"))
_BREAKS = frozenset("–—·|•-,")
_MAX_NAME_WORDS = 7
_MAX_TRIED = 200
_HEAD, _ELSEWHERE = 0.9, 0.66
_HEAD_ROWS = 6


def organization_candidates(target: Target, scene: Scene) -> list[Candidate]:
    kinds = {_WORDS[word] for word in target.words if word in _WORDS}
    if len(kinds) != 1 or not {*target.words} <= _WORDS.keys() | _OTHER_WORDS:
        return []
    named = _NAMES[kinds.pop()]
    return [found for page in scene.view.pages[:1] for found in _on_page(target, page, named)]


def _on_page(target: Target, page: PageView, named: re.Pattern[str]) -> Iterator[Candidate]:
    for piece in islice(page.pieces, _MAX_TRIED):
        first = _first_part(piece)
        text = said(first).rstrip(",;")
        if _is_name(text) and len(first) > 1 and named.search(folded(text)):
            worth = _HEAD if piece.row < _HEAD_ROWS else _ELSEWHERE
            why = f"a name of its kind on page {page.number}"
            yield Candidate(target, text, [spot(first, piece)], worth, why, "party", identities(first), match=worth)


def _first_part(piece: Piece) -> list[Token]:
    """The words of a piece up to a dash, a dot or a comma."""
    for at, token in enumerate(piece.tokens):
        if token.text in _BREAKS:
            return piece.tokens[:at]
        if token.text.endswith(","):
            return piece.tokens[: at + 1]
    return piece.tokens


def _is_name(text: str) -> bool:
    words = text.split()
    large = sum(word[:1].isupper() for word in words)
    return (
        1 < len(words) <= _MAX_NAME_WORDS
        and text[:1].isupper()
        and 2 * large >= len(words)
        and not any(map(str.isdigit, text))
        and not text.endswith((":", "."))
    )
