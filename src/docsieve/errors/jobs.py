"""Errors of jobs."""

from docsieve.errors import AttemptError, Conflict


class JobNotCancellable(Conflict):
    """Only a pending or processing job can be cancelled."""

    code = "job_not_cancellable"


class JobNotRetryable(Conflict):
    """Only a failed job can be retried."""

    code = "job_not_retryable"


class UnknownKind(AttemptError):
    """This worker does not know this type of job. A worker of a newer release may."""

    code = "unknown_kind"
