"""One metric, one log line and one signal per attempt, once its end is in the database."""

import time
from functools import cache

from docsieve import faults, metrics
from docsieve.logs import get_logger
from docsieve.queue.leases import Held

log = get_logger()

# Looking a labelled child up costs more than counting with it.
_ended = cache(metrics.job_attempts.labels)
_seconds = cache(metrics.job_seconds.labels)


def record(held: Held, outcome: str, **keys: object) -> None:
    job, seconds = held.job, time.monotonic() - held.attempt.started
    _ended(job.job_type, outcome).inc()
    _seconds(job.job_type).observe(seconds)
    log.info(
        "job_attempt",
        job_id=job.id,
        job_type=job.job_type,
        attempt=job.attempt,
        outcome=outcome,
        duration_ms=round(seconds * 1000),
        **keys,
    )
    faults.signal("attempt.ended", job.id, outcome)
