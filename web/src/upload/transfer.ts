import type { DocumentRead } from "@/api/documents";
import { address, ApiProblem, currentToken, problemFrom } from "@/api/http";
import type { Sending, Upload } from "./queue";

/** Uses XMLHttpRequest, because fetch does not report upload progress. */
export function sendFile(upload: Upload, onProgress: (sent: number) => void): Sending<DocumentRead> {
  const request = new XMLHttpRequest();
  const done = new Promise<DocumentRead>((resolve, reject) => {
    request.upload.onprogress = ({ loaded, total }) => onProgress(total > 0 ? (loaded / total) * upload.file.size : 0);
    request.onload = () => {
      if (request.status >= 200 && request.status < 300) resolve(JSON.parse(request.responseText) as DocumentRead);
      else reject(problemFrom(request.status, request.responseText));
    };
    request.onerror = () => reject(new ApiProblem(0, "unreachable", "The service cannot be reached, or the file can no longer be read."));
    request.onabort = () => reject(new ApiProblem(0, "cancelled", "The upload was cancelled."));
  });
  request.open("POST", address("/documents"));
  request.setRequestHeader("Accept", "application/json");
  request.setRequestHeader("X-CSRF-Token", currentToken());
  request.setRequestHeader("Idempotency-Key", upload.key);
  request.send(formOf(upload));
  return { done, stop: () => request.abort() };
}

function formOf(upload: Upload): FormData {
  const form = new FormData();
  if (upload.project !== null) form.append("project", upload.project);
  if (upload.schema !== null) form.append("schema", upload.schema);
  if (upload.batch !== null) form.append("batch", upload.batch.id);
  form.append("file", upload.file, upload.file.name);
  return form;
}
