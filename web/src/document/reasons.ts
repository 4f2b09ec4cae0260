/** Why a document could not be read, for the person who sent it, and what to do. Keyed by the error's stable code. */
const WORDS: Record<string, { title: string; advice: string }> = {
  corrupt_document: { title: "The file is damaged", advice: "It cannot be opened. Save or scan it anew and upload it again." },
  password_required: { title: "The file is locked", advice: "Give its password and it will be read." },
  password_wrong: { title: "The password does not fit", advice: "Try another one." },
  too_many_pages: { title: "It has too many pages", advice: "Split it into parts and upload those." },
  too_many_pixels: { title: "A picture in it is too large", advice: "Scan it with fewer dots per inch." },
  unsupported_type: { title: "This kind of file cannot be read", advice: "Save it as PDF and upload that." },
  parser_crashed: { title: "Reading it went wrong", advice: "Try it once more. If that fails too, open it, print or export it to a new PDF and upload that. If several scans fail like this, ask the operator to run “docsieve doctor”." },
  ocr_backend_unusable: { title: "Scans cannot be read here", advice: "Ask the operator to run “docsieve doctor” on the machine that reads documents; it says what is missing. Then try again." },
  parser_timeout: { title: "Reading it took too long", advice: "Trying again may help; splitting it certainly does." },
  out_of_memory: { title: "It is too large to be read", advice: "Split it into parts and upload those." },
  output_too_large: { title: "There is too much in it", advice: "Split it into parts and upload those." },
  original_damaged: { title: "Its stored content is damaged", advice: "Upload it again." },
  blob_missing: { title: "Its content is gone", advice: "Upload it again." },
  blob_store_error: { title: "The storage did not answer", advice: "Try again in a moment." },
};

export function reasonOf(error: { code: string; message: string }): { title: string; advice: string } {
  return WORDS[error.code] ?? { title: "It could not be read", advice: error.message };
}

export function asksForPassword(code: string | undefined): boolean {
  return code === "password_required" || code === "password_wrong";
}
