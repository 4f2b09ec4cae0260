"""Cuts and parts."""

from docsieve.domain.packets import SURE, Cut, PageRange, decided, needs_review, parts


def made(after_page: int) -> Cut:
    return Cut(after_page, 0.95, state="accepted")


def test_cuts_at_the_threshold_are_made_and_others_wait_for_a_person() -> None:
    cuts = decided([Cut(1, SURE), Cut(2, SURE - 0.001)], [])
    assert [(cut.state, cut.decided_by) for cut in cuts] == [("accepted", "detector"), ("proposed", None)]
    assert needs_review(cuts)


def test_what_a_person_decided_outlives_a_new_detection() -> None:
    removed = Cut(1, 0.95, (), "removed", "person")
    added = Cut(5, None, (), "added", "person")
    automatic = Cut(3, 0.95, (), "accepted", "detector")
    cuts = decided([Cut(1, 0.99), Cut(4, 0.99)], [removed, automatic, added])
    assert [(cut.after_page, cut.state) for cut in cuts] == [(1, "removed"), (4, "accepted"), (5, "added")]


def test_parts_lie_between_the_cuts_that_are_made() -> None:
    proposed, removed = Cut(4, 0.5), Cut(5, 0.95, state="removed")
    assert parts([made(2), proposed, removed], [], 6) == [PageRange(1, 2), PageRange(3, 6)]


def test_left_out_pages_are_trimmed_from_the_ends_of_parts_but_stay_inside() -> None:
    assert parts([made(3)], {1, 3, 5}, 7) == [PageRange(2, 2), PageRange(4, 7)]


def test_a_document_without_a_cut_or_with_one_part_only_is_not_a_packet() -> None:
    assert parts([], [], 5) == []
    assert parts([made(2)], {1, 2}, 4) == []
