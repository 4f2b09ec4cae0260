"""How likely a gap between two pages is a cut, and why.

A logistic model weighs the features of a gap, and a monotone curve corrects it on generated packets whose kinds of
documents were left out when the weights were fitted, so that nine in ten cuts with a confidence of 0.9 are right.
`python -m benchmarks.packet_parts.fit` fits both.
"""

import json
import math
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files
from itertools import pairwise
from typing import NamedTuple

MAX_REASONS = 4
_WORTH_MENTIONING = 0.25

# The words if a feature speaks for a cut, and if it speaks against one.
REASONS: dict[str, tuple[str, str]] = {
    "number_restarts": ("page numbers restart at 1", "page numbers restart at 1"),
    "number_restarts_bare": ("page numbers restart at 1", "page numbers restart at 1"),
    "number_returns": ("page numbers return to 1", "page numbers return to 1"),
    "number_stays": ("each page is numbered 1", "all pages have the same number"),
    "number_first_of": ("the next page is the first by its number", "the next page is the first by its number"),
    "number_continues": ("page numbers continue", "page numbers continue"),
    "number_continues_bare": ("page numbers continue", "page numbers seem to continue"),
    "number_later": ("the next page is numbered 2 or later", "the next page is numbered 2 or later"),
    "number_later_bare": ("the next page is numbered 2 or later", "the next page seems to be numbered 2 or later"),
    "number_conflicts": ("page numbers do not fit together", "page numbers do not fit together"),
    "number_last": ("the page before is the last by its number", "the page before is the last by its number"),
    "number_only": ("the page before is numbered 1 of 1", "the page before is numbered 1 of 1"),
    "number_unfinished": ("page numbers stop early", "the page before announces more pages"),
    "number_stops": ("page numbers stop", "only the page before is numbered"),
    "header_same": ("the header repeats", "the header stays the same"),
    "header_differs": ("the header changes", "the header changes"),
    "header_appears": ("a header or letterhead begins", "a header begins"),
    "header_disappears": ("the header ends", "the header is not repeated"),
    "footer_same": ("the footer repeats", "the footer stays the same"),
    "footer_differs": ("the footer changes", "the footer changes"),
    "footer_appears": ("a footer begins", "a footer begins"),
    "footer_disappears": ("the footer ends", "the footer is not repeated"),
    "size_changes": ("the page size changes", "the page size changes"),
    "page_turned": ("the page is turned", "the page is only turned"),
    "origin_changes": ("a scanned page meets a digital one", "a scanned page meets a digital one"),
    "text_size_changes": ("the text size changes", "the text size changes"),
    "text_size_same": ("the text size stays the same", "the text size stays the same"),
    "heights_differ": ("other text sizes are used", "other text sizes are used"),
    "edges_differ": ("the text is aligned differently", "the text is aligned differently"),
    "unlike": ("the pages look and read differently", "the pages look and read differently"),
    "strangers": ("the pages share hardly any words", "the pages share hardly any words"),
    "opens": ("the next page has a title and new data", "the next page has a title and new data"),
    "appendix_named": ("the next page names an appendix", "the next page may be an appendix"),
    "margin_changes": ("the margin changes", "the margin changes"),
    "columns_same": ("the table columns repeat", "the table columns stay the same"),
    "page_half_empty": ("the page before ends early", "the page before ends early"),
    "page_full": ("the page before is full", "the page before is full"),
    "language_changes": ("the language changes", "the language changes"),
    "class_changes": ("the kind of document changes", "the kind of document changes"),
    "class_same": ("the kind of document repeats", "the kind of document stays the same"),
    "words_shared": ("words are shared", "both pages share words"),
    "names_shared": ("names are shared", "both pages share names"),
    "id_same": ("a document number repeats", "both pages have the same document number"),
    "id_repeated": ("a document number repeats", "the document number is repeated"),
    "id_changes": ("the document number changes", "the document number changes"),
    "account_changes": ("the account or customer number changes", "the account or customer number changes"),
    "pairs_same": ("labeled values repeat", "labeled values repeat"),
    "pairs_change": ("the values of the same labels change", "the values of the same labels change"),
    "codes_shared": ("numbers are shared", "both pages share numbers"),
    "title": ("the next page has a title", "the next page has a heading"),
    "large_title": ("the next page has a large title", "the next page has a large heading"),
    "twin": ("the next page looks like the one before, with other dates or numbers", "both pages look alike"),
    "like_first_page": ("the next page looks like an earlier first page", "the next page looks like an earlier page"),
    "heading_again": ("the heading is that of an earlier first page", "the heading is that of an earlier first page"),
    "heading_repeats": ("the heading repeats", "both pages have the same heading"),
    "kind_named": ("the next page names a new kind of document", "the next page names a kind of document"),
    "kind_named_again": ("the kind of document is named again", "the kind of document is named again"),
    "salutation": ("the next page has a salutation", "the next page has a salutation"),
    "date": ("a new date is at the top of the next page", "a new date is at the top of the next page"),
    "date_same": ("the same date is at the top", "both pages have the same date at the top"),
    "address": ("a new address is at the top of the next page", "a new address is at the top of the next page"),
    "address_same": ("the same address is at the top", "both pages have the same address at the top"),
    "address_and_date": ("the next page begins with address and date", "the next page has address and date"),
    "appendix": ("an appendix begins", "the next page is an appendix"),
    "carried_over": ("an amount is carried over", "the next page continues the one before"),
    "continues_overleaf": ("the page says that it continues", "the page before says that it continues"),
    "clauses_continue": ("numbered sections continue", "numbered sections continue"),
    "starts_mid_sentence": ("a sentence continues", "the next page starts in mid-sentence"),
    "ends_mid_sentence": ("a sentence is cut", "the page before ends in mid-sentence"),
    "closing": ("the page before ends with a closing or signature", "the page before ends with a closing or signature"),
    "total": ("the page before ends with a total", "the page before ends with a total"),
    "positions_continue": ("numbered rows continue", "numbered rows continue"),
    "positions_restart": ("numbered rows restart at 1", "numbered rows restart at 1"),
    "table_continues": ("a table continues", "a table continues on the next page"),
    "blank": ("a blank page lies in between", "a blank page lies in between"),
    "blank_usual": ("a blank page lies in between", "a blank back page lies in between"),
}


class Model(NamedTuple):
    bias: float
    weights: Mapping[str, float]
    curve: Sequence[tuple[float, float]]

    def score(self, features: Mapping[str, float]) -> float:
        return self.bias + sum(self.weights.get(name, 0.0) * value for name, value in features.items())

    def confidence(self, features: Mapping[str, float]) -> float:
        return self.confidence_of(self.score(features))

    def confidence_of(self, score: float) -> float:
        return round(_interpolated(self.curve, score), 3)

    def reasons(self, features: Mapping[str, float]) -> tuple[str, ...]:
        """The features that weigh most, those for a cut first."""
        weighed = {name: self.weights.get(name, 0.0) * value for name, value in features.items()}
        mentioned = [name for name, weight in weighed.items() if abs(weight) >= _WORTH_MENTIONING]
        mentioned = sorted(mentioned, key=lambda name: -abs(weighed[name]))[:MAX_REASONS]
        said = [REASONS[name][0] for name in mentioned if weighed[name] > 0]
        said += [f"against it: {REASONS[name][1]}" for name in mentioned if weighed[name] < 0]
        return tuple(dict.fromkeys(said))


@cache
def model() -> Model:
    stored = json.loads(files("docsieve.analysis.packets").joinpath("weights.json").read_text())
    return Model(stored["bias"], stored["weights"], [(x, y) for x, y in stored["curve"]])


def _interpolated(curve: Sequence[tuple[float, float]], score: float) -> float:
    """The share of right cuts at a score: straight lines between the points of the curve."""
    if score <= curve[0][0]:
        return curve[0][1]
    for (x0, y0), (x1, y1) in pairwise(curve):
        if score <= x1:
            return y0 + (y1 - y0) * (score - x0) / (x1 - x0)
    return curve[-1][1]


def logistic(score: float) -> float:
    return 1.0 / (1.0 + math.exp(-max(min(score, 30.0), -30.0)))
