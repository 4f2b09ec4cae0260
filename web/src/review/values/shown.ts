/** A field with this session's decision applied, even before it is saved. */

import type { Field } from "@/api/extractions";
import { heldValue } from "@/fields/state";
import type { Step } from "@/review/walk/steps";

export interface Person {
  id: string;
  name: string;
}

export function withStep(field: Field, step: Step | undefined, by: Person): Field {
  if (step === undefined) return field;
  const { decision, at } = step;
  const made = { made_by: by.id, made_by_name: by.name, made_at: at };
  if (decision.kind === "accept") return { ...field, needs_review: false, accepted: made };
  return {
    ...field,
    needs_review: false,
    accepted: null,
    correction: {
      path: field.path,
      action: "correct",
      old_value: field.correction?.new_value === decision.value ? field.correction.old_value : heldValue(field),
      new_value: decision.value,
      document_id: field.document_id,
      page: decision.page,
      box: decision.box,
      note: null,
      undone: false,
      ...made,
    },
  };
}
