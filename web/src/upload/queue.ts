/** Upload queue: a few files at a time, in order, each with its own progress and result. */

import { ApiProblem } from "@/api/http";

export type Phase = "waiting" | "sending" | "stored" | "failed" | "cancelled";

/** A chosen file. `path` is its path inside the dropped folder. */
export interface Picked {
  file: File;
  path: string;
}

export interface UploadOptions {
  project: string | null;
  schema: string | null;
  /** The batch that the documents join. */
  batch: { id: string; name: string } | null;
}

export interface Upload extends Picked, UploadOptions {
  id: string;
  /** Idempotency key, so that a retry after a lost response does not create a second document. */
  key: string;
  phase: Phase;
  sent: number;
  problem: ApiProblem | null;
}

export interface Sending<Stored> {
  done: Promise<Stored>;
  stop: () => void;
}
export type Transfer<Stored> = (upload: Upload, onProgress: (sent: number) => void) => Sending<Stored>;

const AT_ONCE = 4;

export class UploadQueue<Stored> {
  readonly #uploads = new Map<string, Upload>();
  readonly #sending = new Map<string, Sending<Stored>>();
  #waiting: string[] = [];

  constructor(
    private readonly transfer: Transfer<Stored>,
    private readonly tell: { changed: () => void; stored: (document: Stored) => void; failed: (problem: ApiProblem) => void },
    private readonly newKey: () => string,
    private readonly atOnce = AT_ONCE,
  ) {}

  snapshot(): readonly Upload[] {
    return [...this.#uploads.values()];
  }

  add(picked: readonly Picked[], options: UploadOptions): void {
    for (const { file, path } of picked) {
      const key = this.newKey();
      this.#uploads.set(key, { id: key, key, file, path, ...options, phase: "waiting", sent: 0, problem: null });
      this.#waiting.push(key);
    }
    this.#advance();
  }

  cancel(id: string): void {
    const upload = this.#uploads.get(id);
    if (upload === undefined || !isUnderWay(upload)) return;
    this.#waiting = this.#waiting.filter((each) => each !== id);
    this.#change(id, { phase: "cancelled" });
    this.#stop(id);
    this.#advance();
  }

  cancelAll(): void {
    this.#waiting = [];
    for (const upload of this.snapshot()) if (isUnderWay(upload)) this.#change(upload.id, { phase: "cancelled" });
    for (const id of [...this.#sending.keys()]) this.#stop(id);
    this.tell.changed();
  }

  retry(id: string): void {
    const upload = this.#uploads.get(id);
    if (upload === undefined || (upload.phase !== "failed" && upload.phase !== "cancelled")) return;
    const key = isLost(upload) ? upload.key : this.newKey();
    this.#change(id, { phase: "waiting", sent: 0, problem: null, key });
    this.#waiting.push(id);
    this.#advance();
  }

  retryFailed(): void {
    for (const upload of this.snapshot()) if (upload.phase === "failed") this.retry(upload.id);
  }

  /** Removes ended uploads. */
  clear(): void {
    for (const upload of this.snapshot()) if (!isUnderWay(upload)) this.#uploads.delete(upload.id);
    this.tell.changed();
  }

  #advance(): void {
    while (this.#sending.size < this.atOnce) {
      const id = this.#waiting.shift();
      if (id === undefined) break;
      void this.#send(id);
    }
    this.tell.changed();
  }

  async #send(id: string): Promise<void> {
    const upload = this.#change(id, { phase: "sending" });
    const sending = this.transfer(upload, (sent) => {
      if (this.#sending.get(id) !== sending) return;
      this.#change(id, { sent });
      this.tell.changed();
    });
    this.#sending.set(id, sending);
    try {
      const stored = await sending.done;
      // An upload may complete at the moment it is cancelled.
      this.tell.stored(stored);
      if (this.#sending.get(id) === sending) this.#change(id, { phase: "stored", sent: upload.file.size });
    } catch (error) {
      if (this.#sending.get(id) === sending) this.#fail(id, error);
    }
    if (this.#sending.get(id) !== sending) return;
    this.#sending.delete(id);
    this.#advance();
  }

  /** Counts as ended immediately, although the browser may need a moment. */
  #stop(id: string): void {
    const sending = this.#sending.get(id);
    this.#sending.delete(id);
    sending?.stop();
  }

  #fail(id: string, error: unknown): void {
    const problem = error instanceof ApiProblem ? error : new ApiProblem(0, "unexpected", String(error));
    this.#change(id, { phase: "failed", problem });
    this.tell.failed(problem);
  }

  #change(id: string, change: Partial<Upload>): Upload {
    const upload = this.#uploads.get(id);
    if (upload === undefined) throw new Error(`unknown upload ${id}`);
    const changed = { ...upload, ...change };
    this.#uploads.set(id, changed);
    return changed;
  }
}

export function isUnderWay(upload: Pick<Upload, "phase">): boolean {
  return upload.phase === "waiting" || upload.phase === "sending";
}

/** The response was lost: the service may or may not have the file. */
function isLost({ problem }: Upload): boolean {
  return problem === null || problem.status === 0 || problem.status >= 500;
}

export interface Totals {
  files: number;
  stored: number;
  failed: number;
  underWay: number;
  /** From 0 to 1 by bytes. An empty file counts as one byte. */
  part: number;
}

export function totals(uploads: readonly Upload[]): Totals {
  const sum = { files: 0, stored: 0, failed: 0, underWay: 0 };
  let bytes = 0;
  let sent = 0;
  for (const upload of uploads) {
    if (upload.phase === "cancelled") continue;
    const size = Math.max(1, upload.file.size);
    sum.files += 1;
    sum.stored += upload.phase === "stored" ? 1 : 0;
    sum.failed += upload.phase === "failed" ? 1 : 0;
    sum.underWay += isUnderWay(upload) ? 1 : 0;
    bytes += size;
    sent += upload.phase === "sending" ? Math.min(size, upload.sent) : isUnderWay(upload) ? 0 : size;
  }
  return { ...sum, part: bytes === 0 ? 0 : sent / bytes };
}

const RANKS: Record<Phase, number> = { sending: 0, failed: 1, waiting: 2, cancelled: 3, stored: 4 };

/** Active and failed uploads first, completed ones last. */
export function inOrder(uploads: readonly Upload[]): Upload[] {
  return [...uploads].sort((one, other) => RANKS[one.phase] - RANKS[other.phase]);
}
