import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useRouter, useSearch } from "@tanstack/react-router";
import { KeyRound } from "lucide-react";
import { type FormEvent, useEffect, useState } from "react";
import mark from "@/mark.svg";
import { ApiProblem } from "@/api/http";
import { sessionQuery, signIn } from "@/api/session";
import { Button } from "@/components/Button";
import { explain } from "@/components/explain";
import { TextInput } from "@/components/Inputs";

const REASONS: Record<string, string> = {
  session_expired: "Your session has expired. Sign in to continue.",
  unauthorized: "Your session has expired. Sign in to continue.",
  signed_out: "You are signed out.",
};

export function SignInPage() {
  const { back, reason } = useSearch({ from: "/sign-in" });
  const router = useRouter();
  const queries = useQueryClient();
  const [key, setKey] = useState("");
  const enter = useMutation({
    mutationFn: signIn,
    onSuccess: async (session) => {
      queries.clear();
      queries.setQueryData(sessionQuery.queryKey, session);
      // Only paths of this site, so that a crafted link cannot redirect elsewhere.
      const safe = back?.startsWith("/") && !back.startsWith("//") && !back.startsWith("/\\") ? back : "/documents";
      router.history.replace(safe);
    },
  });
  useLink(enter.mutate);

  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (key.trim()) enter.mutate({ key: key.trim() });
  };
  return (
    <main className="flex min-h-full items-center justify-center p-4">
      <form onSubmit={submit} className="flex w-full max-w-sm flex-col gap-4 rounded-2xl border border-line bg-surface p-6 shadow-sm">
        <div className="flex items-center gap-3">
          <img src={mark} alt="" className="size-9" />
          <h1 className="text-xl font-semibold">Sign in to Docsieve</h1>
        </div>
        {reason && REASONS[reason] && !enter.isError ? (
          <p role="status" className="rounded-lg bg-info-soft px-3 py-2 text-sm text-info">
            {REASONS[reason]}
          </p>
        ) : null}
        <label htmlFor="key" className="flex flex-col gap-1 text-sm font-medium">
          API key
          <TextInput
            id="key"
            type="password"
            autoComplete="current-password"
            placeholder="ds_…"
            value={key}
            aria-invalid={enter.isError}
            aria-describedby={enter.isError ? "sign-in-error" : undefined}
            onChange={(event) => setKey(event.target.value)}
          />
        </label>
        {enter.isError ? (
          <p id="sign-in-error" role="alert" className="rounded-lg bg-bad-soft px-3 py-2 text-sm text-bad">
            {refusal(enter.error)}
          </p>
        ) : null}
        <Button type="submit" look="primary" busy={enter.isPending} disabled={!key.trim()} icon={<KeyRound aria-hidden className="size-4" />}>
          Sign in
        </Button>
        <p className="text-sm text-muted">
          Your administrator can give you a key, or create a one-time sign-in link with <code className="font-mono text-xs whitespace-nowrap">docsieve link</code>.
        </p>
      </form>
    </main>
  );
}

function refusal(error: unknown): string {
  if (error instanceof ApiProblem && error.code === "unauthorized") return "This key is invalid, expired or revoked. Check that you copied all of it.";
  if (error instanceof ApiProblem && error.code === "link_expired") return "This link has expired or was already used. Ask for a new one, or sign in with a key.";
  return explain(error);
}

/**
 * A one-time link follows the `#`, so that it does not reach any log, and is removed from the URL before it is used.
 * Opening one while this page is shown changes only the `#` and does not reload the page.
 */
function useLink(signInWith: (credentials: { link: string }) => void): void {
  useEffect(() => {
    const take = () => {
      const link = new URLSearchParams(window.location.hash.slice(1)).get("link");
      if (!link) return;
      window.history.replaceState(window.history.state, "", window.location.pathname + window.location.search);
      signInWith({ link });
    };
    take();
    window.addEventListener("hashchange", take);
    return () => window.removeEventListener("hashchange", take);
  }, [signInWith]);
}
