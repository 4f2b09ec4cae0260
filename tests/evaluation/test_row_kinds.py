"""Rows count for the kind of table that they were read from."""

import pytest

from docsieve.evaluation.figures import Leaf
from docsieve.evaluation.row_kinds import NOTHING_READ, kind_of, rows_by_kind
from docsieve.evaluation.scores import Outcome


def cell(outcome: Outcome, row: int, why: str | None = None, *, field: str = "items[].name") -> Leaf:
    path = field.replace("[]", f"[{row}]")
    given = outcome is not Outcome.missed
    true = outcome is not Outcome.invented
    return Leaf(
        field,
        outcome,
        path if given else None,
        path if true else None,
        "x" if given else None,
        "x",
        exact=False,
        why=why,
    )


@pytest.mark.parametrize(
    ("why", "kind"),
    [
        ("in a ruled table on page 2", "ruled table"),
        ("in an unruled table on page 1, column 'Qty'", "unruled table"),
        ("in a stacked list at 'Skills' on page 1", "stacked list"),
        ("rows under headings on page 1", "rows under headings"),
        ("entries under 'WORK EXPERIENCE' on page 1", "entries"),
        (None, None),
    ],
)
def test_the_kind_of_table_is_named_at_the_start_of_the_reason(why: str | None, kind: str | None) -> None:
    assert kind_of(why) == kind


def test_what_a_row_lacks_counts_for_the_table_of_the_row() -> None:
    leaves = [
        cell(Outcome.right, 0, "in a ruled table on page 1"),
        cell(Outcome.right, 1, "in a ruled table on page 1"),
        cell(Outcome.right, 2, "in a stacked list on page 2"),
        cell(Outcome.missed, 2, field="items[].price"),
    ]
    counts = rows_by_kind([leaves])
    assert (counts["ruled table"].wanted, counts["ruled table"].right) == (2, 2)
    assert (counts["stacked list"].wanted, counts["stacked list"].right) == (2, 1)


def test_rows_that_were_not_read_count_for_the_usual_table_of_their_list_in_that_document() -> None:
    read = [cell(Outcome.right, 0, "in a ruled table on page 1"), cell(Outcome.missed, 1)]
    unread = [cell(Outcome.missed, 0)]
    counts = rows_by_kind([read, unread])
    assert (counts["ruled table"].wanted, counts[NOTHING_READ].wanted) == (2, 1)


def test_single_fields_are_not_rows() -> None:
    single = Leaf("total", Outcome.right, "total", "total", 1, 1, exact=True, why="in a ruled table on page 1")
    assert rows_by_kind([[single]]) == {}
