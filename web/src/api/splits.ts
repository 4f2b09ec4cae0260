import { queryOptions } from "@tanstack/react-query";
import { request, type Schemas } from "./http";

export type Splits = Schemas["SplitsRead"];
export type Cut = Schemas["CutRead"];
export type Part = Schemas["PartRead"];
export type CutChange = Schemas["CutChangeCreate"];

const WRITING_MS = 1_000;

/** The cuts and parts of a packet; polled while parts are being written. */
export const splitsQuery = (id: string) =>
  queryOptions({
    queryKey: ["documents", id, "splits"],
    queryFn: ({ signal }) => request<Splits>(`/documents/${id}/splits`, { signal }),
    refetchInterval: ({ state }) => (state.data?.splitting ? WRITING_MS : false),
  });

export function changeSplits(id: string, revision: number, cuts: readonly CutChange[]): Promise<Splits> {
  return request<Splits>(`/documents/${id}/splits`, { method: "PATCH", body: { cuts, revision } });
}
