/** The name of a class as people write it: “bank_statement” is “Bank statement”. */
export function classWords(name: string): string {
  const words = name.replace(/[_-]+/g, " ").trim();
  return words.charAt(0).toLocaleUpperCase() + words.slice(1);
}
