import { describe, expect, it } from "vitest";
import { ApiProblem } from "@/api/http";
import { inOrder, type Sending, totals, type Transfer, type Upload, UploadQueue } from "./queue";

interface Sent {
  upload: Upload;
  progress: (sent: number) => void;
  succeed: () => Promise<void>;
  fail: (problem: ApiProblem) => Promise<void>;
}

/** A queue whose uploads succeed or fail when the test says so. */
function queueOf(atOnce: number) {
  const sent: Sent[] = [];
  const stored: string[] = [];
  const failed: string[] = [];
  let keys = 0;
  const turn = () => new Promise<void>((resolve) => setTimeout(resolve));
  const transfer: Transfer<string> = (upload, progress): Sending<string> => {
    let stop: () => void = () => undefined;
    const done = new Promise<string>((resolve, reject) => {
      stop = () => reject(new ApiProblem(0, "cancelled", ""));
      sent.push({
        upload,
        progress,
        succeed: () => (resolve(upload.path), turn()),
        fail: (problem) => (reject(problem), turn()),
      });
    });
    return { done, stop };
  };
  const tell = { changed: () => undefined, stored: (path: string) => void stored.push(path), failed: (problem: ApiProblem) => void failed.push(problem.code) };
  const queue = new UploadQueue(transfer, tell, () => `key${++keys}`, atOnce);
  const add = (...names: string[]) => queue.add(names.map((name) => ({ file: new File(["12345"], name), path: name })), { project: null, schema: null, batch: null });
  const phases = () => queue.snapshot().map((upload) => upload.phase).join(" ");
  return { queue, add, sent, stored, failed, phases, turn };
}

const at = <Item>(items: readonly Item[], place: number): Item => items[place] as Item;

describe("the queue of uploads", () => {
  it("limits concurrent uploads and sends the others in order", async () => {
    const { add, sent, stored, phases } = queueOf(2);
    add("a", "b", "c");
    expect(phases()).toBe("sending sending waiting");
    await at(sent, 1).succeed();
    expect(phases()).toBe("sending stored sending");
    expect(sent.map(({ upload }) => upload.path)).toEqual(["a", "b", "c"]);
    expect(stored).toEqual(["b"]);
  });

  it("continues with the next when one fails, and keeps the reason", async () => {
    const { queue, add, sent, failed, phases } = queueOf(1);
    add("a", "b");
    await at(sent, 0).fail(new ApiProblem(415, "unsupported_type", "no parser"));
    expect(phases()).toBe("failed sending");
    expect(at(queue.snapshot(), 0).problem?.code).toBe("unsupported_type");
    expect(failed).toEqual(["unsupported_type"]);
  });

  it("retries a lost file with the same key, so that it cannot be stored twice", async () => {
    const { queue, add, sent } = queueOf(1);
    add("a");
    await at(sent, 0).fail(new ApiProblem(0, "unreachable", ""));
    queue.retryFailed();
    expect(at(sent, 1).upload.key).toBe(at(sent, 0).upload.key);
  });

  it("retries a rejected file with a new key", async () => {
    const { queue, add, sent } = queueOf(1);
    add("a");
    await at(sent, 0).fail(new ApiProblem(409, "idempotency_conflict", ""));
    queue.retry(at(queue.snapshot(), 0).id);
    expect(at(sent, 1).upload.key).not.toBe(at(sent, 0).upload.key);
    await at(sent, 1).succeed();
    expect(at(queue.snapshot(), 0).phase).toBe("stored");
  });

  it("cancels an active and a waiting upload without reporting a failure", async () => {
    const { queue, add, sent, failed, phases, turn } = queueOf(1);
    add("a", "b", "c");
    queue.cancel(at(queue.snapshot(), 1).id);
    queue.cancel(at(queue.snapshot(), 0).id);
    await turn();
    expect(phases()).toBe("cancelled cancelled sending");
    expect(sent.map(({ upload }) => upload.path)).toEqual(["a", "c"]);
    expect(failed).toEqual([]);
  });

  it("cancels all without starting the waiting ones", async () => {
    const { queue, add, sent, phases, turn } = queueOf(2);
    add("a", "b", "c", "d");
    queue.cancelAll();
    await turn();
    expect(phases()).toBe("cancelled cancelled cancelled cancelled");
    expect(sent).toHaveLength(2);
  });

  it("can retry a cancelled file while its old request is still ending", async () => {
    const { queue, add, sent, phases, turn } = queueOf(2);
    add("a");
    const { id } = at(queue.snapshot(), 0);
    queue.cancel(id);
    queue.retry(id);
    await turn();
    expect(phases()).toBe("sending");
    await at(sent, 1).succeed();
    expect(phases()).toBe("stored");
  });

  it("removes ended uploads and keeps the others", async () => {
    const { queue, add, sent, phases } = queueOf(1);
    add("a", "b");
    await at(sent, 0).succeed();
    queue.clear();
    expect(phases()).toBe("sending");
  });
});

describe("the totals of all uploads", () => {
  it("count bytes, with failed uploads as done and without cancelled ones", async () => {
    const { queue, add, sent } = queueOf(2);
    add("a", "b", "c", "d");
    at(sent, 0).progress(2);
    await at(sent, 1).fail(new ApiProblem(413, "too_large", ""));
    queue.cancel(at(queue.snapshot(), 3).id);
    expect(totals(queue.snapshot())).toEqual({ files: 3, stored: 0, failed: 1, underWay: 2, part: 7 / 15 });
  });

  it("are sorted by active, failed, done", async () => {
    const { queue, add, sent } = queueOf(2);
    add("a", "b", "c", "d");
    await at(sent, 0).succeed();
    await at(sent, 1).fail(new ApiProblem(413, "too_large", ""));
    expect(inOrder(queue.snapshot()).map(({ path }) => path).join("")).toBe("cdba");
  });
});
