/** “1 document”, “5,000 documents”. */
export function documentsInWords(count: number): string {
  return `${count.toLocaleString("en")} ${count === 1 ? "document" : "documents"}`;
}
