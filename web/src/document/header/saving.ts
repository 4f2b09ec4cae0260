/** Lets the browser download content as a file. */
export function saveAs(content: Blob, filename: string): void {
  const url = URL.createObjectURL(content);
  const link = document.createElement("a");
  link.href = url;
  link.download = filename;
  link.click();
  // Firefox and Safari start to read only after the click has been handled.
  window.setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

/** “invoice.pdf” → “invoice.json”. */
export function withEnding(filename: string, ending: string): string {
  const stem = filename.replace(/\.[A-Za-z0-9]{1,8}$/, "");
  return `${stem || "document"}.${ending}`;
}
