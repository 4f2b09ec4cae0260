import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import type { ExtractionSummary } from "@/api/extractions";
import { definitionQuery } from "@/api/schemas";
import { type Naming, namingOf } from "./naming";

/** The names of an extraction's fields; by their paths until its schema is known. */
export function useNaming(extraction: Pick<ExtractionSummary, "id" | "schema"> | undefined): Naming {
  const { data } = useQuery(definitionQuery(extraction));
  return useMemo(() => namingOf(data), [data]);
}
