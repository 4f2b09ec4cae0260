"""What Prometheus scrapes and each process counts for itself.

To add one, add a line here; nothing else is needed. `docsieve up` shows the metrics of all its processes on
one page (`metric_files.py`), by these rules:

- Counters and histograms are added up over all processes, including those that have died since the start.
- Gauges are added up over the processes that are alive, so what a dead one said is gone. A gauge that each process sets
  to 1 for one value of its label, such as `ocr_backend`, thereby counts the processes.

Gauges that describe the database, such as the queue, are read from it at scrape time by
`api/routes/admin/operations.py`.
"""

from prometheus_client import Counter, Gauge, Histogram, disable_created_metrics

# The times at which series were made cannot be added up, and nothing uses them.
disable_created_metrics()  # type: ignore[no-untyped-call]

_DURATIONS = (0.005, 0.02, 0.1, 0.5, 2, 10, 60, 300)

job_attempts = Counter("docsieve_job_attempts", "Attempts ended, by outcome", ["job_type", "outcome"])
job_seconds = Histogram("docsieve_job_seconds", "Time an attempt ran", ["job_type"], buckets=_DURATIONS)
leases_lost = Counter("docsieve_leases_lost", "Attempts discarded because another worker owns the job", ["job_type"])
jobs_rescued = Counter("docsieve_jobs_rescued", "Jobs taken back from a worker that stopped beating")
rate_limited = Counter("docsieve_rate_limited", "Requests refused with 429, by limit", ["limit"])
messages_sent = Counter("docsieve_messages_sent", "Messages sent to Redis, again or for the first time", ["queue"])
messages_unclaimed = Counter("docsieve_messages_unclaimed", "Messages whose job was not ready any more", ["queue"])
lanes_without_redis = Gauge("docsieve_lanes_without_redis", "Lanes that poll the database as Redis is away", ["queue"])
uploads = Counter("docsieve_uploads", "Uploads, by outcome", ["outcome"])
upload_bytes = Counter("docsieve_upload_bytes", "Bytes received in accepted uploads")
provider_calls = Counter("docsieve_provider_calls", "Calls that a provider answered", ["model"])
provider_tokens = Counter("docsieve_provider_tokens", "Tokens of those calls", ["model", "direction"])
provider_cost = Counter("docsieve_provider_cost_usd", "What they cost, by the table of prices", ["model"])
provider_saved = Counter("docsieve_provider_saved_usd", "What cached answers had cost when first given", ["model"])
ocr_backend = Gauge("docsieve_ocr_backend_info", "Worker processes, by the OCR backend they use", ["backend"])
http_seconds = Histogram("docsieve_http_seconds", "Time to answer", ["method", "route", "status"], buckets=_DURATIONS)
event_delay = Histogram("docsieve_event_delay_seconds", "From an event to its streams", buckets=_DURATIONS)
