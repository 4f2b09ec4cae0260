/** HTTP client for the API: session cookie, CSRF token, and problem documents as errors. */

import type { components } from "./schema";

export type Schemas = components["schemas"];

const PREFIX = "/api/v1";

/** A problem document of the API. `code` is stable, `detail` is for people. */
export class ApiProblem extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    readonly detail: string,
    readonly problem: Readonly<Record<string, unknown>> = {},
  ) {
    super(detail);
    this.name = "ApiProblem";
  }
}

type Query = Record<string, string | number | boolean | null | undefined>;

interface Call {
  method?: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  query?: Query;
  body?: unknown;
  headers?: Record<string, string>;
  signal?: AbortSignal | undefined;
  /** Complete the request even if the page is closed. */
  keepalive?: boolean;
}

let csrfToken = "";
const signedOut = new Set<(problem: ApiProblem) => void>();

export function rememberToken(token: string): void {
  csrfToken = token;
}

export function currentToken(): string {
  return csrfToken;
}

/** Called when the session has expired. */
export function onSignedOut(listener: (problem: ApiProblem) => void): () => void {
  signedOut.add(listener);
  return () => signedOut.delete(listener);
}

/** For requests that do not go through `send`, such as uploads. */
export function tellIfSignedOut(problem: ApiProblem): void {
  if (problem.status === 401) for (const tell of signedOut) tell(problem);
}

export function address(path: string, query: Query = {}): string {
  const given = Object.entries(query).filter(([, value]) => value !== null && value !== undefined && value !== "");
  const search = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
  return `${PREFIX}${path}${search ? `?${search}` : ""}`;
}

export async function send(path: string, call: Call = {}): Promise<Response> {
  const method = call.method ?? "GET";
  const headers: Record<string, string> = { Accept: "application/json", ...call.headers };
  if (method !== "GET") headers["X-CSRF-Token"] = csrfToken;
  if (call.body !== undefined) headers["Content-Type"] = "application/json";
  let response: Response;
  try {
    response = await fetch(address(path, call.query), {
      method,
      headers,
      body: call.body === undefined ? null : JSON.stringify(call.body),
      signal: call.signal ?? null,
      keepalive: call.keepalive ?? false,
      credentials: "same-origin",
    });
  } catch (error) {
    if (error instanceof DOMException && error.name === "AbortError") throw error;
    throw new ApiProblem(0, "unreachable", "The service cannot be reached. Is it running, and are you online?");
  }
  if (response.ok || response.status === 304) return response;
  const problem = await readProblem(response);
  if (path !== "/session") tellIfSignedOut(problem);
  throw problem;
}

export async function request<Answer>(path: string, call: Call = {}): Promise<Answer> {
  const response = await send(path, call);
  return (response.status === 204 ? undefined : await response.json()) as Answer;
}

const MAX_PER_PAGE = 200;

/** Fetches all pages of a list. `name` is the property with the items. */
export async function requestAll<Name extends string, Item>(path: string, name: Name, signal: AbortSignal): Promise<Item[]> {
  const items: Item[] = [];
  let cursor: string | null = null;
  do {
    const page: { next_cursor: string | null } & Record<Name, Item[]> = await request(path, { query: { cursor, limit: MAX_PER_PAGE }, signal });
    items.push(...page[name]);
    cursor = page.next_cursor;
  } while (cursor !== null);
  return items;
}

async function readProblem(response: Response): Promise<ApiProblem> {
  const text = await response.text();
  return problemFrom(response.status, text);
}

export function problemFrom(status: number, text: string): ApiProblem {
  try {
    const problem = JSON.parse(text) as Record<string, unknown>;
    const detail = String(problem["detail"] ?? problem["title"] ?? "");
    if (typeof problem["code"] === "string") return new ApiProblem(status, problem["code"], detail, problem);
  } catch {
    // not a problem document, so the response comes from a proxy
  }
  return new ApiProblem(status, "unexpected", `The service responded with status ${status}.`);
}
