import { queryOptions } from "@tanstack/react-query";
import { request, type Schemas } from "./http";
import { unlessLive } from "./live";

export type Queue = Schemas["QueueRead"];
export type Queues = Schemas["QueueList"];

const REFRESH_MS = 2_000;

export const queuesQuery = (project: string | null) =>
  queryOptions({
    queryKey: ["queues", project],
    queryFn: ({ signal }) => request<Queues>("/queues", { query: { project }, signal }),
    refetchInterval: () => unlessLive(REFRESH_MS),
  });
