import { useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { Refresher } from "./refresh";
import { followEvents } from "./stream";

/** Keeps the screen up to date by events. Without them, queries poll. */
export function useLiveEvents(): void {
  const queries = useQueryClient();
  useEffect(() => {
    const refresher = new Refresher(queries);
    const stop = followEvents({ happened: (event) => refresher.happened(event), missed: () => refresher.missed() });
    return () => {
      stop();
      refresher.stop();
    };
  }, [queries]);
}
