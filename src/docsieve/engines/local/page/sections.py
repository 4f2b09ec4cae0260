"""Blocks of a page under the name of a party or a topic: `Name:` under `Consignee` is the consignee's."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from docsieve.engines.local.page.columns import caption_of
from docsieve.engines.local.page.view import DocumentView, PageView, Piece
from docsieve.engines.local.vocabulary.canon import joined
from docsieve.engines.local.vocabulary.targets import Words

_MAX_TOKENS = 8
_MAX_EXTRA = 2
_MAX_DIGITS = 2
_MAX_LINES = 14
_MAX_HEADINGS = 200


@dataclass(frozen=True, slots=True)
class _Heading:
    groups: frozenset[str]
    piece: Piece


class Sections:
    """`groups` has the words that name each group of fields, such as the name of the object they are in."""

    def __init__(self, view: DocumentView, groups: Mapping[str, Sequence[Words]]) -> None:
        self._groups = groups
        self._pages = {(page.document, page.number): page for page in view.pages}
        self._headings = {key: self._headings_of(page) for key, page in self._pages.items()} if groups else {}
        self.named = frozenset(group for found in self._headings.values() for each in found for group in each.groups)
        """The groups that any page has a heading for."""

    def named_by(self, words: Words) -> frozenset[str]:
        """The groups whose name is in these words of a label."""
        given = frozenset(words)
        return frozenset(
            group for group, phrases in self._groups.items() if any(given.issuperset(each) for each in phrases)
        )

    def of(self, piece: Piece) -> frozenset[str]:
        """The groups of the cell that the piece is in, or of the nearest heading over it or to its left."""
        page = self._pages[piece.document, piece.page]
        caption = [token for label in caption_of(piece, page) for token in label.tokens]
        if caption and (named := self.named_by(joined(name for token in caption for name in token.names))):
            return named
        reach = _MAX_LINES * max(page.height, piece.height)
        over = [
            each
            for each in self._headings.get((piece.document, piece.page), ())
            if each.piece is not piece and each.piece.box[1] <= piece.middle < each.piece.middle + reach
        ]
        over = [each for each in over if each.piece.box[0] <= piece.box[0] + 2 * page.height]
        if not over:
            return frozenset()
        lowest = max(each.piece.middle for each in over)
        last = [each for each in over if each.piece.middle > lowest - page.height]
        nearest = max(last, key=lambda each: each.piece.box[0])
        aside = [each for each in over if each.piece.box[0] > nearest.piece.box[2] + page.height]
        return max(aside, key=lambda each: each.piece.middle).groups if aside else nearest.groups

    def _headings_of(self, page: PageView) -> list[_Heading]:
        found: list[_Heading] = []
        for piece in page.pieces:
            tokens = piece.tokens[:_MAX_TOKENS]
            colon = next((at for at, token in enumerate(tokens) if token.text.endswith(":")), None)
            tokens = tokens[: colon + 1] if colon is not None else tokens
            if (colon is None and len(piece.tokens) > _MAX_TOKENS) or len(found) == _MAX_HEADINGS:
                continue
            if sum(character.isdigit() for token in tokens for character in token.text) > _MAX_DIGITS:
                continue
            words = joined(name for token in tokens for name in token.names)
            groups = frozenset(
                group
                for group in self.named_by(words)
                if any(len({*words} - {*each}) <= _MAX_EXTRA for each in self._groups[group] if {*words} >= {*each})
            )
            if groups:
                found.append(_Heading(groups, piece))
        return found
