"""What a message says, and in which order ARQ takes messages."""

import pytest

from docsieve.db.queue.ready_jobs import ReadyJob
from docsieve.domain.ids import new_id
from docsieve.queue.redis.messages import arq_function, arq_queue, deserialize, message, place


@pytest.mark.parametrize(
    ("queue", "expected"),
    [
        ("default", "arq:queue"),
        ("archive", "arq:zip_queue"),
        ("webhook", "arq:webhook_queue"),
        ("maintenance", "arq:maintenance_queue"),
    ],
)
def test_every_queue_has_one_of_arq(queue: str, expected: str) -> None:
    assert arq_queue(queue) == expected


@pytest.mark.parametrize(
    ("job_type", "expected"),
    [
        ("unpack_archive", "unpack_zip_file_task"),
        ("extract_fields", "process_extraction_task"),
        ("process_document", "process_document_task"),
        ("delete_abandoned_batches", "run_abandoned_job_cleanup"),
        ("delete_opt_out_data", "run_opt_out_data_cleanup"),
        ("delete_archive_originals", "run_artifact_cleanup"),
    ],
)
def test_messages_call_functions_by_the_names_of_the_requirement(job_type: str, expected: str) -> None:
    assert arq_function(job_type) == expected


def test_a_message_holds_the_id_of_the_job_as_json_and_nothing_of_the_document() -> None:
    job = ReadyJob(new_id(), "process_document", 0, 1.0)
    assert deserialize(message(job, now_ms=7)) == {
        "t": None, "f": "process_document_task", "a": [str(job.id)], "k": {}, "et": 7,
    }  # fmt: skip


def test_messages_are_in_the_order_of_claims_priority_before_turn() -> None:
    order = [
        (100, 0.0),
        (100, 9e10),
        (0, 0.0),
        (0, 0.25),
        (0, 0.5),
        (0, 1e10),
        (0, 1e10 + 1),
        (-100, 0.0),
        (-1100, 0.0),
    ]
    places = [place(ReadyJob(new_id(), "noop", priority, turn)) for priority, turn in order]
    assert places == sorted(set(places))


@pytest.mark.parametrize(("priority", "turn"), [(10**9, 0.0), (-(10**9), 1e300), (0, 1e300)])
def test_no_place_is_one_that_arq_would_not_start(priority: int, turn: float) -> None:
    assert place(ReadyJob(new_id(), "noop", priority, turn)) < 0
