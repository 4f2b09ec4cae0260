"""Messages of ARQ: to which of its queues a job goes, which function it calls, and its place among the others.

A message holds the id of a job and nothing else. JSON and not pickle, ARQ's default: reading a pickle can run code, and
Redis is not trusted with that.
"""

import json
from typing import Any

from arq.constants import default_queue_name
from arq.jobs import serialize_job

from docsieve.db.queue.ready_jobs import ReadyJob

_QUEUES = {"default": default_queue_name, "archive": "arq:zip_queue"}

# Names that clients of ARQ know these kinds of jobs by. All others are called after their type.
_FUNCTIONS = {
    "unpack_archive": "unpack_zip_file_task",
    "extract_fields": "process_extraction_task",
    "delete_abandoned_batches": "run_abandoned_job_cleanup",
    "delete_opt_out_data": "run_opt_out_data_cleanup",
    "delete_archive_originals": "run_artifact_cleanup",
}

# Redis holds a place as a double. ARQ takes it for a time in milliseconds since 1970 and starts nothing in the future,
# nor at 0: so places are negative. A level of priority is wider than turns ever get, and still leaves them 1/32.
_HIGHEST_PRIORITY = 1000
_LOWEST_PRIORITY = -1200
_LEVEL = 1e11


def arq_queue(queue: str) -> str:
    return _QUEUES.get(queue, f"arq:{queue}_queue")


def arq_function(job_type: str) -> str:
    return _FUNCTIONS.get(job_type, f"{job_type}_task")


def place(job: ReadyJob) -> float:
    """The score of the message. ARQ takes low scores first: the order of `jobs_ready`, and of ids among equals."""
    priority = min(max(job.priority, _LOWEST_PRIORITY), _HIGHEST_PRIORITY)
    return (_LOWEST_PRIORITY - 1 - priority) * _LEVEL + min(job.turn, _LEVEL - 1)


def message(job: ReadyJob, *, now_ms: int) -> bytes:
    return serialize_job(arq_function(job.job_type), (str(job.id),), {}, None, now_ms, serializer=serialize)


def serialize(value: dict[str, Any]) -> bytes:
    return json.dumps(value, default=repr).encode()


def deserialize(data: bytes) -> dict[str, Any]:
    value: dict[str, Any] = json.loads(data)
    return value
