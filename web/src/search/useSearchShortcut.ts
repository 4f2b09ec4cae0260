import { useNavigate, useRouterState } from "@tanstack/react-router";
import { useEffect } from "react";
import { typesInto } from "@/viewer/useViewerKeys";

export const SEARCH_BOX = "search-box";

/** `/` opens the search from anywhere, unless the user is typing or a dialog is open. */
export function useSearchShortcut(): void {
  const navigate = useNavigate();
  const here = useRouterState({ select: (state) => state.location.pathname });
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== "/" || event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || typesInto(event.target)) return;
      if (document.querySelector("dialog[open]")) return;
      event.preventDefault();
      const box = document.getElementById(SEARCH_BOX);
      if (box instanceof HTMLInputElement) box.select();
      else if (here !== "/search") void navigate({ to: "/search", search: {} });
    };
    window.addEventListener("keydown", onKey);
    return () => window.removeEventListener("keydown", onKey);
  }, [navigate, here]);
}
