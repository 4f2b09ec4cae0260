/** Why a document could not be read and what to do about it, by the error's stable code. */
const WORDS: Record<string, { title: string; advice: string }> = {
  corrupt_document: { title: "The file is damaged", advice: "It cannot be opened. Save or scan it again and upload the new file." },
  password_required: { title: "The file is password-protected", advice: "Enter its password to read it." },
  password_wrong: { title: "Wrong password", advice: "Try a different one." },
  source_not_found: { title: "There is no file at the source", advice: "Check the address, and upload the document again." },
  source_refused: { title: "The source refused to send the file", advice: "Ask the operator to check the credentials, or upload the file itself." },
  source_unavailable: { title: "The source did not respond", advice: "Try again later." },
  archive_truncated: { title: "The archive is incomplete", advice: "Its end is missing. Upload the whole archive." },
  archive_split: { title: "The archive is one of several parts", advice: "Join the parts and upload the whole archive." },
  too_many_pages: { title: "Too many pages", advice: "Split it into parts and upload those." },
  too_many_pixels: { title: "An image is too large", advice: "Scan it at a lower resolution." },
  unsupported_type: { title: "Unsupported file type", advice: "Save it as PDF and upload that." },
  parser_crashed: { title: "Reading the document failed", advice: "Try again. If it still fails, print or export it to a new PDF and upload that. If several scans fail like this, ask the operator to run “docsieve doctor”." },
  engine_failed: { title: "Extracting fields failed", advice: "Extract them again. If it still fails, choose a different engine and report the document to the operator." },
  engine_timeout: { title: "Extracting fields took too long", advice: "Extract them again, or choose a different engine." },
  ocr_backend_unusable: { title: "Scans cannot be read", advice: "Ask the operator to run “docsieve doctor” on the worker's machine, which shows what is missing. Then try again." },
  parser_timeout: { title: "Reading took too long", advice: "Try again, or split it into parts." },
  out_of_memory: { title: "The document is too large", advice: "Split it into parts and upload those." },
  output_too_large: { title: "Too much content", advice: "Split it into parts and upload those." },
  original_damaged: { title: "The stored file is damaged", advice: "Upload it again." },
  blob_missing: { title: "The stored file is missing", advice: "Upload it again." },
  blob_store_error: { title: "The storage did not respond", advice: "Try again in a moment." },
};

export function reasonOf(error: { code: string; message: string }): { title: string; advice: string } {
  return WORDS[error.code] ?? { title: "The document could not be read", advice: error.message };
}

export function asksForPassword(code: string | undefined): boolean {
  return code === "password_required" || code === "password_wrong";
}
