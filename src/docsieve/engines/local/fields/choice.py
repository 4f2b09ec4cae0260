"""One value per field: the best candidates that do not use each other's words."""

from collections.abc import Sequence
from heapq import heapify, heappop, heappush

from docsieve.engines.local.fields.candidates import Candidate

FLOOR = 0.30
"""Candidates that are less likely are dropped: a wrong value costs more than a missing one."""

_MAX_CANDIDATES = 12
_WELL_NAMED = 0.8
# Fields of these types may share words on the page.
_MAY_SHARE = frozenset(("total", "amount_due", "net_total", "issue_date", "period_start", "period_end", "delivery_date",
                        "due_date", "payment_date", "currency", "contract_number", "invoice_number"))  # fmt: skip


def chosen(by_field: Sequence[Sequence[Candidate]]) -> list[Candidate]:
    ranked = [
        each
        for found in by_field
        for each in sorted(found, key=lambda candidate: -candidate.score)[:_MAX_CANDIDATES]
        if each.score >= FLOOR
    ]
    ibans = {token for each in ranked if each.target.type == "iban" for token in each.tokens}
    ranked = [each for each in ranked if each.target.type != "id" or ibans.isdisjoint(each.tokens)]
    taken: dict[int, Candidate] = {}
    done: dict[str, Candidate] = {}
    queue = [(-each.score, at, each, False) for at, each in enumerate(ranked)]
    heapify(queue)
    while queue:
        score, at, each, again = heappop(queue)
        path = each.target.field.pattern
        if path in done or -score < FLOOR:
            continue
        others = [taken[token] for token in each.tokens if token in taken]
        if others and not again:
            rivals = {other.score for other in others if _clash(each, other)}
            if rivals:
                heappush(queue, (-_unless(each.score, max(rivals)), at, each, True))
                continue
        each.score = round(-score, 4)
        done[path] = each
        for token in each.tokens:
            taken.setdefault(token, each)
    for candidates in by_field:
        if candidates and candidates[0].target.field.pattern not in done:
            _take_what_is_left(candidates, taken, done)
    return list(done.values())


def _take_what_is_left(
    candidates: Sequence[Candidate], taken: dict[int, Candidate], done: dict[str, Candidate]
) -> None:
    """Of exclusive possibilities, the others become more likely once another field has taken one of them."""
    free = [each for each in candidates if not any(token in taken for token in each.tokens)]
    best = max(free, key=lambda each: each.score, default=None)
    if best is None:
        return
    gone: dict[str, float] = {}
    for each in candidates:
        takers = [taken[token].score for token in each.tokens if token in taken]
        if each.text != best.text and takers:
            gone[each.text] = max(gone.get(each.text, 0.0), each.score * max(takers))
    likely = min(best.score / max(1.0 - sum(gone.values()), best.score), 1.0)
    if likely >= FLOOR:
        best.score = round(likely, 4)
        done[best.target.field.pattern] = best
        taken.update(dict.fromkeys(best.tokens, best))


def _unless(likely: float, rival: float) -> float:
    """How likely something is, given that it and its rival are not both true."""
    return likely * (1 - rival) / (1 - likely * rival) if likely * rival < 1 else 0.0


def _clash(each: Candidate, other: Candidate) -> bool:
    wordy = {other.target.type, each.target.type} == {"name", "text"}
    if (other.target.type != each.target.type and not wordy) or other.target.type in ("currency", "enum", "boolean"):
        return False
    if each.target.type == "date" and min(each.match, other.match) >= _WELL_NAMED:
        return False  # a schema may ask twice for one date
    both = {other.target.name, each.target.name}
    return not (both <= _MAY_SHARE and "" not in both) and other.text == each.text
