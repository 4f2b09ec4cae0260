import { queryOptions } from "@tanstack/react-query";
import { request, type Schemas } from "./http";

export type Queue = Schemas["QueueRead"];
export type Queues = Schemas["QueueList"];

const REFRESH_MS = 2_000;

export const queuesQuery = queryOptions({
  queryKey: ["queues"],
  queryFn: ({ signal }) => request<Queues>("/queues", { signal }),
  refetchInterval: REFRESH_MS,
});
