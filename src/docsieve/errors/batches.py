"""Errors about batches."""

from docsieve.errors import Conflict, Invalid


class UnknownBatch(Invalid):
    """Batch not found."""

    code = "unknown_batch"


class PatternInvalid(Invalid):
    """The pattern is not valid."""

    code = "pattern_invalid"


class GroupTooLarge(Invalid):
    """A group has more documents than one extraction can have."""

    code = "group_too_large"


class BatchStarted(Conflict):
    """Only a batch that was never started can be changed."""

    code = "batch_started"


class BatchStarting(Conflict):
    """The batch will start as soon as its documents or its time allow it."""

    code = "batch_starting"


class BatchCancelled(Conflict):
    """The batch was cancelled."""

    code = "batch_cancelled"


class BatchNotRunning(Conflict):
    """Only a running batch can be cancelled."""

    code = "batch_not_running"


class BatchTooLarge(Conflict):
    """The batch has more documents than this server accepts."""

    code = "batch_too_large"


class NothingToStart(Conflict):
    """The batch has no documents that were not started before."""

    code = "nothing_to_start"


class NothingToRetry(Conflict):
    """No extraction of the batch has failed."""

    code = "nothing_to_retry"
