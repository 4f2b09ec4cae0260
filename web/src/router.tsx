/** Every page: its path, its search parameters, and its component in routes/. */

import type { QueryClient } from "@tanstack/react-query";
import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  lazyRouteComponent,
  parseSearchWith,
  redirect,
  stringifySearchWith,
} from "@tanstack/react-router";
import { sessionQuery } from "@/api/session";
import { ErrorState } from "@/components/ErrorState";
import { Layout } from "@/layout/Layout";
import { NotFound } from "@/layout/NotFound";

interface Context {
  queries: QueryClient;
}

const text = (value: unknown): string | undefined => (typeof value === "string" && value !== "" ? value : undefined);
const whole = (value: unknown): number | undefined => (Number.isInteger(Number(value)) && Number(value) > 0 ? Number(value) : undefined);

interface Back {
  back?: string | undefined;
  reason?: string | undefined;
}
interface DocumentList {
  q?: string | undefined;
  status?: string | undefined;
  class?: string | undefined;
  sort?: string | undefined;
}
interface DocumentView {
  page?: number | undefined;
  /** Path of a field to highlight. */
  field?: string | undefined;
  /** A box to highlight: x0,y0,x1,y1 as in the API. */
  box?: string | undefined;
  /** The tab shown next to the page: fields, text, json, timeline, compare, parts. */
  tab?: string | undefined;
  extraction?: string | undefined;
  /** The extraction to compare with. */
  other?: string | undefined;
}
interface JobList {
  status?: string | undefined;
  queue?: string | undefined;
  job_type?: string | undefined;
}

const root = createRootRouteWithContext<Context>()({ notFoundComponent: NotFound });

const signIn = createRoute({
  getParentRoute: () => root,
  path: "/sign-in",
  validateSearch: (search): Back => ({ back: text(search["back"]), reason: text(search["reason"]) }),
  component: lazyRouteComponent(() => import("@/routes/sign-in"), "SignInPage"),
});

const signedIn = createRoute({
  getParentRoute: () => root,
  id: "signed-in",
  component: Layout,
  beforeLoad: async ({ context, location }) => {
    const session = await context.queries.ensureQueryData(sessionQuery);
    if (session === null) {
      const back = location.href === "/" ? undefined : location.href;
      throw redirect({ to: "/sign-in", search: { back, reason: undefined } });
    }
  },
});

const index = createRoute({
  getParentRoute: () => signedIn,
  path: "/",
  beforeLoad: () => {
    throw redirect({ to: "/documents" });
  },
});

const documents = createRoute({
  getParentRoute: () => signedIn,
  path: "/documents",
  validateSearch: (search): DocumentList => ({
    q: text(search["q"]),
    status: text(search["status"]),
    class: text(search["class"]),
    sort: text(search["sort"]),
  }),
  component: lazyRouteComponent(() => import("@/routes/documents"), "DocumentsPage"),
});

const document = createRoute({
  getParentRoute: () => signedIn,
  path: "/documents/$documentId",
  validateSearch: (search): DocumentView => ({
    page: whole(search["page"]),
    field: text(search["field"]),
    box: text(search["box"]),
    tab: text(search["tab"]),
    extraction: text(search["extraction"]),
    other: text(search["other"]),
  }),
  component: lazyRouteComponent(() => import("@/routes/document"), "DocumentPage"),
});

const batches = createRoute({
  getParentRoute: () => signedIn,
  path: "/batches",
  component: lazyRouteComponent(() => import("@/routes/batches"), "BatchesPage"),
});

const batch = createRoute({
  getParentRoute: () => signedIn,
  path: "/batches/$batchId",
  validateSearch: (given): { show?: string | undefined } => ({ show: text(given["show"]) }),
  component: lazyRouteComponent(() => import("@/routes/batch"), "BatchPage"),
});

/** The address of a result, and so of a report: its id is all that a program has. */
const extraction = createRoute({
  getParentRoute: () => signedIn,
  path: "/extractions/$extractionId",
  component: lazyRouteComponent(() => import("@/routes/extraction"), "ExtractionPage"),
});

const review = createRoute({
  getParentRoute: () => signedIn,
  path: "/review",
  validateSearch: (search): { document?: string | undefined } => ({ document: text(search["document"]) }),
  component: lazyRouteComponent(() => import("@/routes/review"), "ReviewPage"),
});

const search = createRoute({
  getParentRoute: () => signedIn,
  path: "/search",
  validateSearch: (given): { q?: string | undefined; class?: string | undefined } => ({ q: text(given["q"]), class: text(given["class"]) }),
  component: lazyRouteComponent(() => import("@/routes/search"), "SearchPage"),
});

const jobs = createRoute({
  getParentRoute: () => signedIn,
  path: "/jobs",
  validateSearch: (given): JobList => ({ status: text(given["status"]), queue: text(given["queue"]), job_type: text(given["job_type"]) }),
  component: lazyRouteComponent(() => import("@/routes/jobs"), "JobsPage"),
});

const routeTree = root.addChildren([signIn, signedIn.addChildren([index, documents, document, batches, batch, extraction, review, search, jobs])]);

export function createDashboardRouter(queries: QueryClient) {
  return createRouter({
    routeTree,
    context: { queries },
    defaultPreload: "intent",
    // Search parameters are text: a number in a search query must stay a string.
    parseSearch: parseSearchWith((value) => value),
    stringifySearch: stringifySearchWith(String),
    scrollRestoration: true,
    defaultErrorComponent: ({ error, reset }) => <ErrorState error={error} retry={reset} />,
  });
}

declare module "@tanstack/react-router" {
  interface Register {
    router: ReturnType<typeof createDashboardRouter>;
  }
}
