"""What speaks for and against a cut between two pages: named features, each from -1 to 1 or 0 to 1."""

import math
from collections.abc import Mapping, Sequence

from docsieve.analysis.packets.page_facts import PageFacts
from docsieve.analysis.packets.page_numbers import PageNumber

_SAME_SIZE = 0.03
_SURE_CLASS = 0.6
_ALIKE = 0.4
_CLEARLY = 0.5
_FEW_SHARED = 0.2
_ENOUGH_WORDS = 25
_SIGNS_OF_ANOTHER = (
    "header_differs", "header_appears", "header_disappears", "footer_differs", "footer_appears", "footer_disappears",
    "size_changes", "origin_changes", "text_size_changes", "margin_changes", "language_changes", "class_changes",
    "heights_differ", "edges_differ", "strangers",
)  # fmt: skip
"""No single one means much; several at once rarely occur within a document."""

_NAMES_A_DOCUMENT = ("form", "invoice", "delivery", "statement", "case", "contract", "patient", "receipt", "order")


def features(
    before: PageFacts, after: PageFacts, *, blanks: int, first_pages: Sequence[PageFacts] = ()
) -> dict[str, float]:
    """The features of the gap between two pages with `blanks` blank pages in it, except what those pages say.

    `first_pages` are earlier pages that surely begin a document.
    """
    found = {
        **_numbers(before.printed, after.printed, blanks),
        **_margins(before, after),
        **_layout(before, after),
        **_content(before, after),
        **_identity(before, after),
        **_beginnings(before, after),
        **_twins(before, after, first_pages),
    }
    found["unlike"] = max(0, sum(found.get(name, 0.0) > _CLEARLY for name in _SIGNS_OF_ANOTHER) - 2) / 3
    found["opens"] = float(bool(found.get("title") or found.get("large_title")) and _says_something_new(found))
    return {name: value for name, value in found.items() if value}


def _says_something_new(found: Mapping[str, float]) -> bool:
    return any(found.get(name) for name in ("address", "id_changes", "kind_named", "account_changes"))


def _numbers(before: PageNumber | None, after: PageNumber | None, blanks: int) -> Mapping[str, float]:
    found: dict[str, float] = {}
    if after is not None:
        suffix = "_bare" if after.bare else ""
        if after.number == 1 and not after.bare:
            found["number_restarts"] = 1.0
            found["number_stays"] = float(before is not None and before.number == 1 and after.total is None)
            found["number_first_of"] = float(after.total is not None)
        elif after.number == 1:
            found["number_restarts_bare"] = float(before is not None)
            found["number_returns"] = float(before is not None and before.number > 1)
        elif before is None:
            found[f"number_later{suffix}"] = 1.0
        elif after.number in (before.number + 1, before.number + 1 + blanks) and _same_total(before, after):
            found[f"number_continues{'_bare' if before.bare or after.bare else ''}"] = 1.0
        elif not _same_total(before, after) or (after.number == before.number and after.total is not None):
            found["number_conflicts"] = 1.0
    if before is not None and before.total is not None:
        found["number_last"] = float(before.is_last and before.number > 1)
        found["number_only"] = float(before.is_last and before.number == 1)
        found["number_unfinished"] = float(not before.is_last and (after is None or after.bare))
    elif before is not None and after is None:
        found["number_stops"] = 1.0
    return found


def _same_total(before: PageNumber, after: PageNumber) -> bool:
    return before.total is None or after.total is None or before.total == after.total


def _margins(before: PageFacts, after: PageFacts) -> Mapping[str, float]:
    found = {}
    for name in ("header", "footer"):
        one, two = getattr(before, name), getattr(after, name)
        if one and two:
            alike = _jaccard(one, two)
            found[f"{name}_same"] = max(0.0, alike - 0.5) * 2
            found[f"{name}_differs"] = max(0.0, 0.5 - alike) * 2
        elif two and not one:
            found[f"{name}_appears"] = 1.0
        elif one:
            found[f"{name}_disappears"] = 1.0
    return found


def _layout(before: PageFacts, after: PageFacts) -> Mapping[str, float]:
    (width, height), (next_width, next_height) = before.size, after.size
    same = _near(width, next_width) and _near(height, next_height)
    turned = not same and _near(width, next_height) and _near(height, next_width)
    ratio = (
        abs(math.log(after.text_height * next_height / (before.text_height * height)))
        if _both_texts(before, after)
        else 0.0
    )
    return {
        "size_changes": float(not same and not turned),
        "page_turned": float(turned),
        "origin_changes": float(before.origin != after.origin),
        "text_size_changes": min(1.0, ratio / 0.4) if ratio > 0.08 else 0.0,
        "text_size_same": float(_both_texts(before, after) and ratio < 0.02),
        "heights_differ": _differ(before.heights, after.heights),
        "edges_differ": _differ(before.edges, after.edges),
        "margin_changes": min(1.0, abs(before.left_margin - after.left_margin) / 0.1),
        "columns_same": float(_same_columns(before, after)),
        "page_half_empty": float(before.filled < 0.6),
        "page_full": float(before.filled > 0.8),
    }


def _content(before: PageFacts, after: PageFacts) -> Mapping[str, float]:
    known = before.document_class != "other" and after.document_class != "other"
    sure = min(before.class_confidence, after.class_confidence)
    changes = known and before.document_class != after.document_class
    smaller = min(len(before.words), len(after.words))
    shared = len(before.words & after.words) / smaller if smaller >= 5 else 0.2
    names = min(len(before.names), len(after.names))
    return {
        "language_changes": float(
            before.language is not None and after.language is not None and before.language != after.language
        ),
        "class_changes": sure if changes and sure >= _SURE_CLASS else 0.0,
        "class_same": sure if known and not changes else 0.0,
        "words_shared": shared,
        "strangers": max(0.0, _FEW_SHARED - shared) / _FEW_SHARED if smaller >= _ENOUGH_WORDS else 0.0,
        "names_shared": len(before.names & after.names) / names if names >= 3 else 0.0,
    }


def _identity(before: PageFacts, after: PageFacts) -> Mapping[str, float]:
    same = changed = 0
    for kind in _NAMES_A_DOCUMENT:
        one, two = before.labeled.get(kind), after.labeled.get(kind)
        if one and two:
            same += bool(one & two)
            # further down, forms mention other forms, and letters other letters
            changed += bool(not one & two and before.named.get(kind) and after.named.get(kind))
    labels = before.pairs.keys() & after.pairs.keys()
    kept = sum(before.pairs[label] == after.pairs[label] for label in labels)
    none: frozenset[str] = frozenset()
    account, next_account = before.labeled.get("account", none), after.labeled.get("account", none)
    elsewhere = any(values & after.codes for kind, values in before.labeled.items() if kind in _NAMES_A_DOCUMENT)
    smaller = min(len(before.codes), len(after.codes))
    return {
        "id_same": float(same > 0 and not changed),
        "id_repeated": float(not same and not changed and elsewhere),
        "id_changes": float(changed > 0),
        "pairs_same": kept / len(labels) if labels else 0.0,
        "pairs_change": 1.0 - kept / len(labels) if labels else 0.0,
        "account_changes": float(bool(account and next_account) and not account & next_account),
        "codes_shared": len(before.codes & after.codes) / smaller if smaller else 0.0,
    }


def _beginnings(before: PageFacts, after: PageFacts) -> Mapping[str, float]:
    clause = (
        before.last_clause is not None
        and after.first_clause is not None
        and before.last_clause <= after.first_clause <= before.last_clause + 1
        and after.first_clause > 1
    )
    return {
        "title": float(after.has_title),
        "large_title": float(after.has_large_title),
        "kind_named": float(bool(after.titles - before.titles)),
        "kind_named_again": float(bool(after.titles & before.titles)),
        "salutation": float(after.has_salutation),
        "date": float(bool(after.dates - before.dates)),
        "date_same": float(bool(after.dates & before.dates)),
        "address": float(bool(after.addresses - before.addresses)),
        "address_same": float(bool(after.addresses & before.addresses)),
        "address_and_date": float(bool(after.addresses - before.addresses and after.dates - before.dates)),
        "appendix": float(after.is_appendix),
        "appendix_named": float(after.names_appendix and not after.is_appendix),
        "carried_over": float(after.is_carried_over),
        "continues_overleaf": float(before.continues_overleaf),
        "clauses_continue": float(clause),
        "starts_mid_sentence": float(after.starts_mid_sentence and not after.has_title),
        "ends_mid_sentence": float(before.ends_mid_sentence),
        "closing": float(before.has_closing),
        "total": float(before.has_total),
        "positions_continue": float(_continues(before.last_position, after.first_position)),
        "positions_restart": float(before.last_position is not None and after.first_position == 1),
        "table_continues": float(before.table_at_bottom and after.table_at_top and _same_columns(before, after)),
    }


def _twins(before: PageFacts, after: PageFacts, first_pages: Sequence[PageFacts]) -> Mapping[str, float]:
    """First pages of one sender look alike at the top and differ in date and number; later pages do not."""
    alike = _jaccard(before.upper, after.upper)
    differs = after.dates - before.dates or (after.codes - before.codes and before.codes - after.codes)
    like_first = max((_jaccard(first.upper, after.upper) for first in first_pages), default=0.0)
    return {
        "twin": float(alike > _ALIKE and bool(differs)),
        "heading_again": float(bool(after.heading) and any(first.heading == after.heading for first in first_pages)),
        "heading_repeats": float(bool(after.heading) and after.heading == before.heading),
        "like_first_page": like_first if like_first > max(_ALIKE, alike) else 0.0,
    }


def is_first_page(before: PageFacts | None, page: PageFacts) -> bool:
    """Whether a page surely begins a document: the first of all, one numbered 1, or one with a salutation."""
    numbered = page.printed is not None and page.printed.number == 1 and not page.printed.bare
    return before is None or numbered or page.has_salutation


def _both_texts(before: PageFacts, after: PageFacts) -> bool:
    return before.text_height > 0 and after.text_height > 0


def _near(one: float, two: float) -> bool:
    return abs(one - two) <= _SAME_SIZE * max(one, two, 1.0)


def _continues(last: int | None, first: int | None) -> bool:
    return last is not None and first is not None and first == last + 1


def _same_columns(before: PageFacts, after: PageFacts) -> bool:
    one, two = before.columns, after.columns
    return len(one) > 1 and len(one) == len(two) and all(abs(a - b) < 0.02 for a, b in zip(one, two, strict=True))


def _differ(one: frozenset[int], two: frozenset[int]) -> float:
    """The share of the smaller set that is not in the other."""
    smaller = min(len(one), len(two))
    return 1.0 - len(one & two) / smaller if smaller else 0.0


def _jaccard(one: frozenset[str], two: frozenset[str]) -> float:
    return len(one & two) / max(len(one | two), 1)
