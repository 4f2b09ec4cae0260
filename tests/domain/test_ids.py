"""Ids sort by time, also those of one call."""

import time

from docsieve.domain.ids import id_at, new_id, new_ids


def test_ids_of_one_call_ascend_and_are_valid_time_ordered_ids() -> None:
    before = time.time_ns() // 1_000_000
    ids = new_ids(1000)
    after = time.time_ns() // 1_000_000

    assert ids == sorted(set(ids)) and len(ids) == 1000
    assert {each.version for each in ids} == {7}
    assert {each.variant for each in ids} == {new_id().variant}
    assert id_at(before, 0) <= ids[0] and ids[-1] < id_at(after + 1, 0)


def test_two_calls_at_the_same_time_do_not_meet() -> None:
    assert set(new_ids(1000)).isdisjoint(new_ids(1000))
