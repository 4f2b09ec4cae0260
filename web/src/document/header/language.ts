const names = new Intl.DisplayNames(["en"], { type: "language" });

/** `de` → “German”; unknown codes stay unchanged. */
export function languageInWords(code: string): string {
  try {
    return names.of(code) ?? code;
  } catch {
    return code;
  }
}
