/** A locked document once more, with its password: the service keeps none for a document that came without. */

import { type DocumentRead, deleteDocuments } from "@/api/documents";
import { address, currentToken, problemFrom, send } from "@/api/http";

export async function uploadWithPassword(document: DocumentRead, password: string): Promise<DocumentRead> {
  const original = await (await send(`/documents/${document.id}/file`)).blob();
  const form = new FormData();
  form.set("project", document.project);
  form.set("password", password);
  if (document.schema) form.set("schema", document.schema);
  if (document.engine) form.set("engine", document.engine);
  if (document.webhook_url) form.set("webhook_url", document.webhook_url);
  form.set("metadata", JSON.stringify(document.metadata));
  form.set("file", original, document.filename);
  const response = await fetch(address("/documents"), {
    method: "POST",
    headers: { "X-CSRF-Token": currentToken() },
    body: form,
    credentials: "same-origin",
  });
  if (!response.ok) throw problemFrom(response.status, await response.text());
  const unlocked = (await response.json()) as DocumentRead;
  await deleteDocuments([document.id]);
  return unlocked;
}
