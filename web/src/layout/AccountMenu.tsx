import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { LogOut, Moon, Sun } from "lucide-react";
import { sessionQuery, signOut } from "@/api/session";
import { IconButton } from "@/components/Button";
import { explain } from "@/components/explain";
import { flushDeletes } from "@/documents/pendingDeletes";
import { chooseTheme, useTheme } from "@/state/theme";
import { showToast } from "@/state/toasts";

/** The signed-in key, the theme switch, and sign-out. */
export function AccountMenu() {
  const { data: session } = useQuery(sessionQuery);
  const theme = useTheme();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const leave = useMutation({
    mutationFn: async () => {
      await flushDeletes(); // pending deletes must not be lost by signing out
      await signOut();
    },
    onSuccess: async () => {
      queries.clear();
      queries.setQueryData(sessionQuery.queryKey, null);
      await navigate({ to: "/sign-in", search: { back: undefined, reason: "signed_out" } });
    },
    onError: (error) => showToast({ tone: "bad", text: explain(error) }),
  });
  return (
    <div className="flex items-center gap-1">
      <p className="hidden min-w-0 flex-1 text-sm leading-tight md:block">
        <span className="block truncate font-medium">{session?.tenant}</span>
        <span className="block truncate text-xs text-muted">{session?.key_name}</span>
      </p>
      <IconButton
        label={theme === "dark" ? "Use light theme" : "Use dark theme"}
        onClick={() => chooseTheme(theme === "dark" ? "light" : "dark")}
      >
        {theme === "dark" ? <Sun aria-hidden className="size-4" /> : <Moon aria-hidden className="size-4" />}
      </IconButton>
      <IconButton label="Sign out" disabled={leave.isPending} onClick={() => leave.mutate()}>
        <LogOut aria-hidden className="size-4" />
      </IconButton>
    </div>
  );
}
