"""Responses about reports, in the words of their clients. Times are Unix seconds."""

from datetime import datetime
from typing import Any, Literal, Self
from uuid import UUID

from pydantic import Field

from docsieve.api.wire.base import Wire
from docsieve.db.extractions.reports import ReportJob
from docsieve.db.extractions.rows import Extraction
from docsieve.db.webhooks.deliveries import Delivery
from docsieve.domain.webhooks import DeliveryStatus
from docsieve.services.reports import Report, confidence_summary

ReportStatus = Literal["pending", "processing", "completed", "failed", "cancelled"]

_BYTES_PER_MB = 1024 * 1024
_MESSAGES = {
    "pending": "The report is waiting for a worker.",
    "processing": "The report is being parsed.",
    "cancelled": "The report was cancelled.",
}


class ReportAccepted(Wire):
    success: bool
    job_id: UUID
    report_id: UUID
    status: ReportStatus
    message: str
    files_uploaded: int
    total_size_mb: float
    webhook_url: str | None

    @classmethod
    def of(cls, report: Report) -> Self:
        return cls(
            success=True,
            job_id=report.job_id,
            report_id=report.id,
            status=report.status,
            message="The files are stored. Parsing starts as soon as a worker is free.",
            files_uploaded=len(report.files),
            total_size_mb=round(report.size / _BYTES_PER_MB, 2),
            webhook_url=report.webhook_url,
        )


class WebhookStatus(Wire):
    delivered: bool
    status: Literal["not_sent", "retrying", "success", "failed"] | None = Field(
        description="Null without a webhook; `not_sent` before the first attempt, `retrying` after one that failed."
    )
    attempts: int
    last_attempt_at: float | None

    @classmethod
    def of(cls, url: str | None, sent: Delivery | None) -> Self:
        """`sent` is the delivery; until the report has ended, and after a month, there is none."""
        attempts = sent.attempts if sent is not None else 0
        status = "retrying" if attempts else "not_sent"
        if sent is not None and sent.status != DeliveryStatus.pending:
            status = "success" if sent.status == DeliveryStatus.delivered else "failed"
        return cls(
            delivered=status == "success",
            status=status if url is not None else None,
            attempts=attempts,
            last_attempt_at=_seconds(sent.last_attempt_at) if sent is not None else None,
        )


class ReportState(Wire):
    """After `completed_at`, a completed report has the fields up to `webhook_status`, a failed one those from it on."""

    job_id: UUID
    report_id: UUID
    status: ReportStatus
    message: str
    created_at: float
    started_at: float | None
    completed_at: float | None
    files_processed: int = Field(0, description="Number of files, where an archive counts as its entries.")
    successful_parses: int = 0
    failed_parses: int = 0
    parsing_time_seconds: float | None = None
    confidence_score: float | None = None
    confidence_summary: str | None = None
    parsed_data: Any = Field(None, description="The extracted value, with corrections applied.")
    webhook_status: WebhookStatus | None = None
    retry_count: int | None = None
    max_retries: int | None = None
    last_error: str | None = None

    @classmethod
    def of(cls, extraction: Extraction, job: ReportJob, value: Any, sent: Delivery | None) -> Self:
        """Only the fields that were set are sent. `value` is the one that people corrected, if they did."""
        status = _status(extraction, job)
        common = {
            "job_id": extraction.job_id,
            "report_id": extraction.id,
            "status": status,
            "created_at": extraction.created_at.timestamp(),
            "started_at": _seconds(job.started_at),
            "completed_at": _seconds(extraction.completed_at),
        }
        webhook = WebhookStatus.of(extraction.webhook_url, sent)
        if status == "completed":
            return cls(**common, **_completed(extraction, job, value), webhook_status=webhook)
        if status == "failed":
            return cls(**common, **_failed(extraction, job), webhook_status=webhook)
        return cls(**common, message=_MESSAGES[status])


def _status(extraction: Extraction, job: ReportJob) -> str:
    """A job that waits for files to be read is pending in the queue, but the report is being processed."""
    waits_for_files = extraction.status == "pending" and job.started_at is not None and job.error_code is None
    return "processing" if waits_for_files else extraction.status


def _completed(extraction: Extraction, job: ReportJob, value: Any) -> dict[str, Any]:
    files, failed = extraction.document_count, len(extraction.missing)
    assert extraction.completed_at is not None
    began = job.started_at or extraction.created_at
    seconds = round((extraction.completed_at - began).total_seconds(), 2)
    return {
        "message": f"Processed {files} {'file' if files == 1 else 'files'} in {seconds:.2f} s.",
        "files_processed": files,
        "successful_parses": files - failed,
        "failed_parses": failed,
        "parsing_time_seconds": seconds,
        "confidence_score": extraction.confidence,
        "confidence_summary": confidence_summary(extraction),
        "parsed_data": value,
    }


def _failed(extraction: Extraction, job: ReportJob) -> dict[str, Any]:
    reason = extraction.error_message or extraction.error_code or ""
    return {
        "message": reason,
        "retry_count": max(job.attempts - 1, 0),
        "max_retries": max(job.max_attempts - 1, 0),
        "last_error": reason,
    }


def _seconds(moment: datetime | None) -> float | None:
    return moment.timestamp() if moment is not None else None
