const names = new Intl.DisplayNames(["en"], { type: "language" });

/** `de` → “German”; what is no code of a language stays as it is. */
export function languageInWords(code: string): string {
  try {
    return names.of(code) ?? code;
  } catch {
    return code;
  }
}
