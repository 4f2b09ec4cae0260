import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { type DocumentState, documentStatusQuery, settled } from "@/api/documents";
import { ApiProblem } from "@/api/http";
import { changeLists, rereadRow, without } from "./listCache";

/** Polls the state of a row in progress while it is on screen; other rows are not rendered. */
export function useLiveState(id: string): DocumentState | undefined {
  const queries = useQueryClient();
  const { data, error } = useQuery(documentStatusQuery(id));
  const over = data !== undefined && settled(data.state);
  const gone = error instanceof ApiProblem && error.status === 404;
  useEffect(() => {
    if (over) void rereadRow(queries, id).catch(() => undefined);
  }, [over, queries, id]);
  useEffect(() => {
    if (gone) changeLists(queries, (pages) => without(pages, new Set([id])));
  }, [gone, queries, id]);
  return data?.state;
}
