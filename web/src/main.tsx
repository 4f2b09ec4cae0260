import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { ApiProblem, onSignedOut } from "@/api/http";
import { sessionQuery } from "@/api/session";
import { createDashboardRouter } from "@/router";
import { startTheme } from "@/state/theme";
import "./styles.css";

startTheme();

const queries = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 5_000,
      // Rejected requests would be rejected again, so only an unreachable or overloaded service is retried.
      retry: (failures, error) => failures < 2 && error instanceof ApiProblem && (error.status === 0 || error.status >= 502),
      refetchOnWindowFocus: false,
    },
  },
});

const router = createDashboardRouter(queries);

onSignedOut((problem) => {
  if (queries.getQueryData(sessionQuery.queryKey) === null) return;
  queries.setQueryData(sessionQuery.queryKey, null);
  void router.navigate({
    to: "/sign-in",
    search: { back: router.state.location.href, reason: problem.code },
    replace: true,
  });
});

const root = document.getElementById("app");
if (root === null) throw new Error("index.html has no #app");
createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={queries}>
      <RouterProvider router={router} />
    </QueryClientProvider>
  </StrictMode>,
);
