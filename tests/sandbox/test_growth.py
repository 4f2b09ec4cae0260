"""A child that leaks is replaced; one that loaded its models is not."""

from docsieve.sandbox.growth import Growth
from docsieve.sandbox.limits import Limits

LIMITS = Limits(memory_mb=2048, grown_mb=256)


def test_a_child_that_loaded_a_model_is_kept_for_the_documents_after_it() -> None:
    growth = Growth(LIMITS, first_mb=35)

    assert not any(growth.is_too_much(resident) for resident in (40, 1213, 1213, 1250, 1220, 1300))


def test_a_child_that_keeps_a_little_of_every_document_is_replaced_once_it_adds_up() -> None:
    growth = Growth(LIMITS, first_mb=35)

    verdicts = [growth.is_too_much(35 + 20 * documents) for documents in range(1, 15)]

    assert verdicts == [False] * 12 + [True] * 2


def test_a_child_that_keeps_much_of_every_document_is_replaced_before_it_fills_its_memory() -> None:
    growth = Growth(LIMITS, first_mb=35)

    verdicts = [growth.is_too_much(35 + 100 * documents) for documents in range(1, 8)]

    assert verdicts == [False] * 6 + [True]


def test_a_child_without_room_for_another_document_is_replaced() -> None:
    assert Growth(LIMITS, first_mb=35).is_too_much(1900)


def test_a_child_that_reserved_more_than_it_will_ever_touch_is_replaced_before_memory_is_refused_to_it() -> None:
    growth = Growth(LIMITS, first_mb=35)

    assert [growth.is_too_much(700, reserved) for reserved in (900, 2500, 2600)] == [False, False, True]
