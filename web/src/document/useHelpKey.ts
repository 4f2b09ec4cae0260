import { useEffect, useEffectEvent } from "react";
import { typesInto } from "@/viewer/useViewerKeys";

export function useHelpKey(show: () => void): void {
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.key !== "?" || event.defaultPrevented || typesInto(event.target)) return;
    event.preventDefault();
    show();
  });
  useEffect(() => {
    const listener = (event: KeyboardEvent) => onKey(event);
    window.addEventListener("keydown", listener);
    return () => window.removeEventListener("keydown", listener);
  }, []);
}
