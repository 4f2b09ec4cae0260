import { queryOptions, useQuery } from "@tanstack/react-query";
import { ApiProblem, rememberToken, request, type Schemas } from "./http";

export type Session = Schemas["SessionRead"];
export type Scope = "read" | "write" | "admin";

/** Null means not signed in. */
export const sessionQuery = queryOptions({
  queryKey: ["session"],
  queryFn: async (): Promise<Session | null> => {
    try {
      return remember(await request<Session>("/session"));
    } catch (error) {
      if (error instanceof ApiProblem && error.status === 401) return null;
      throw error;
    }
  },
  staleTime: Infinity,
});

export async function signIn(by: { key: string } | { link: string }): Promise<Session> {
  return remember(await request<Session>("/session", { method: "POST", body: by }));
}

export async function signOut(): Promise<void> {
  await request("/session", { method: "DELETE" });
}

/** Scopes of the signed-in key. Actions outside them are not shown. */
export function useMay(scope: Scope): boolean {
  const { data } = useQuery(sessionQuery);
  return data?.scopes.includes(scope) === true || data?.scopes.includes("admin") === true;
}

function remember(session: Session): Session {
  rememberToken(session.csrf_token);
  return session;
}
