from datetime import UTC, datetime

import pytest

from docsieve.domain.webhooks import RETRY_SECONDS, judge, retry_after, retry_delay

NOW = datetime(2026, 1, 31, 12, 0, tzinfo=UTC)


@pytest.mark.parametrize("status", [200, 201, 202, 204, 299])
def test_every_2xx_is_a_success(status: int) -> None:
    assert judge(status, {}).delivered


@pytest.mark.parametrize("status", [101, 301, 302, 304, 400, 404, 429, 500, 503, 999])
def test_everything_else_is_a_failure_that_is_tried_again(status: int) -> None:
    verdict = judge(status, {})
    assert (verdict.delivered, verdict.final, verdict.disable) == (False, False, None)


def test_410_is_final_and_disables_the_endpoint() -> None:
    verdict = judge(410, {})
    assert (verdict.final, verdict.disable) == (True, "gone")


def test_a_receiver_can_ask_for_no_more_attempts_or_no_more_messages() -> None:
    aborted = judge(500, {"webhook-delivery": "abort-message"})
    assert (aborted.final, aborted.disable) == (True, None)
    refused = judge(500, {"webhook-delivery": " Disable "})
    assert (refused.final, refused.disable) == (True, "refused")
    thanked = judge(200, {"webhook-delivery": "disable"})
    assert (thanked.delivered, thanked.disable) == (True, "refused")


@pytest.mark.parametrize(
    ("header", "seconds"),
    [
        (None, None),
        ("120", 120.0),
        ("0", 0.0),
        ("Sat, 31 Jan 2026 12:02:00 GMT", 120.0),
        ("Sat, 31 Jan 2026 11:00:00 GMT", 0.0),
        ("999999999999999999999999", 86_400.0),
        ("Sat, 31 Jan 2099 12:02:00 GMT", 86_400.0),
        ("soon", None),
        ("-5", None),
        ("²", None),
        ("", None),
    ],
)
def test_retry_after_is_seconds_or_a_date_and_at_most_a_day(header: str | None, seconds: float | None) -> None:
    assert retry_after(header, NOW) == seconds


def test_retries_take_three_days_and_then_end() -> None:
    delays = [retry_delay(tries, jitter=lambda *_: 1.0) for tries in range(1, 11)]
    assert delays == [*RETRY_SECONDS, None]
    assert 2.9 < sum(RETRY_SECONDS) / 86_400 < 3.0


def test_retries_of_many_messages_are_spread() -> None:
    delays = {retry_delay(2) for _ in range(50)}
    assert len(delays) > 40
    assert all(delay is not None and 240 <= delay <= 360 for delay in delays)


def test_a_receiver_can_ask_for_a_longer_pause_than_the_schedule_but_not_for_a_shorter_one() -> None:
    assert retry_delay(1, 120.0, lambda *_: 1.0) == 120.0
    assert retry_delay(3, 120.0, lambda *_: 1.0) == 1800
