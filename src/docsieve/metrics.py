"""What Prometheus scrapes. Gauges that describe the queue are read from the database at scrape time."""

from prometheus_client import Counter, Histogram

_DURATIONS = (0.005, 0.02, 0.1, 0.5, 2, 10, 60, 300)

job_attempts = Counter("docsieve_job_attempts", "Attempts ended, by outcome", ["kind", "outcome"])
job_seconds = Histogram("docsieve_job_seconds", "Time an attempt ran", ["kind"], buckets=_DURATIONS)
leases_lost = Counter("docsieve_leases_lost", "Attempts discarded because another worker owns the job", ["kind"])
jobs_rescued = Counter("docsieve_jobs_rescued", "Jobs taken back from a worker that stopped beating")
uploads = Counter("docsieve_uploads", "Uploads, by outcome", ["outcome"])
upload_bytes = Counter("docsieve_upload_bytes", "Bytes received in accepted uploads")
provider_calls = Counter("docsieve_provider_calls", "Calls that a provider answered", ["model"])
provider_tokens = Counter("docsieve_provider_tokens", "Tokens of those calls", ["model", "direction"])
provider_cost = Counter("docsieve_provider_cost_usd", "What they cost, by the table of prices", ["model"])
http_seconds = Histogram("docsieve_http_seconds", "Time to answer", ["method", "route", "status"], buckets=_DURATIONS)
