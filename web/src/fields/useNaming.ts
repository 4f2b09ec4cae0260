import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import type { ExtractionSummary } from "@/api/extractions";
import { definitionQuery } from "@/api/schemas";
import { type Naming, namingOf } from "./naming";

/** Display names of an extraction's fields, based on their paths until the schema is loaded. */
export function useNaming(extraction: Pick<ExtractionSummary, "id" | "schema"> | undefined): Naming {
  const { data } = useQuery(definitionQuery(extraction));
  return useMemo(() => namingOf(data), [data]);
}
