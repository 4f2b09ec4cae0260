import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { documentQuery } from "@/api/documents";
import { documentFieldsQuery, extractionQuery, type Field } from "@/api/extractions";
import type { Correction } from "@/api/fields";
import { sessionQuery } from "@/api/session";
import { type FieldState, type Group, stateOf } from "./queue";
import { useSteps } from "./session";
import { withStep } from "@/review/values/shown";
import { decisionsOf, keyOf } from "./steps";

export interface GroupField {
  path: string;
  /** With this session's decisions applied. */
  field: Field;
  state: FieldState;
}

export interface GroupFields {
  fields: readonly GroupField[];
  schema: unknown;
  corrections: readonly Correction[];
  pageCount: number;
}

interface Loaded {
  data: GroupFields | null;
  error: unknown;
  retry: () => void;
}

/** The fields of one document, from the service and from this session. */
export function useGroup(group: Group): Loaded {
  const { data: session } = useQuery(sessionQuery);
  const document = useQuery(documentQuery(group.documentId));
  const found = useQuery(documentFieldsQuery(group.documentId, group.extractionId));
  const extraction = useQuery(extractionQuery(group.extractionId));
  const steps = useSteps();
  const by = useMemo(() => ({ id: session?.key_id ?? "", name: session?.key_name ?? "" }), [session]);
  const fields = useMemo(() => {
    const decisions = decisionsOf(steps);
    return (found.data?.fields ?? []).map((field): GroupField => {
      const step = decisions.get(keyOf({ extractionId: field.extraction_id, path: field.path }));
      return { path: field.path, field: withStep(field, step, by), state: stateOf(field, decisions, steps) };
    });
  }, [found.data, steps, by]);
  const all = [document, found, extraction];
  const isThere = document.data !== undefined && found.data !== undefined && extraction.data !== undefined;
  return {
    data: isThere
      ? {
          fields,
          schema: extraction.data.schema_definition,
          corrections: extraction.data.corrections,
          pageCount: document.data.page_count ?? 0,
        }
      : null,
    error: isThere ? null : all.find((query) => query.isError)?.error,
    retry: () => {
      for (const query of all) if (query.isError) void query.refetch();
    },
  };
}
