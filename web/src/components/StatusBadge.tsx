import { Badge, type Tone } from "./Badge";

/** Labels for the statuses of documents, jobs, extractions and batches. */
const STATUSES: Record<string, { tone: Tone; label: string }> = {
  pending: { tone: "neutral", label: "Waiting" },
  scheduled: { tone: "neutral", label: "Scheduled" },
  processing: { tone: "info", label: "Processing" },
  pending_download: { tone: "neutral", label: "Waiting" },
  downloading: { tone: "info", label: "Downloading" },
  pending_unpacking: { tone: "neutral", label: "Waiting" },
  unpacking: { tone: "info", label: "Unpacking" },
  unpacked: { tone: "good", label: "Unpacked" },
  ready: { tone: "good", label: "Ready" },
  pending_configuration: { tone: "neutral", label: "Not started" },
  starting: { tone: "info", label: "Starting" },
  running: { tone: "info", label: "Running" },
  completed: { tone: "good", label: "Done" },
  failed: { tone: "bad", label: "Failed" },
  cancelled: { tone: "warn", label: "Cancelled" },
};

export function StatusBadge({ status }: { status: string }) {
  const known = STATUSES[status] ?? { tone: "neutral" as const, label: status };
  return <Badge tone={known.tone}>{known.label}</Badge>;
}
