/** Why an entry of an archive was skipped or refused, by its stable code. */
const REASONS: Record<string, string> = {
  directory: "A folder",
  litter: "A file that an operating system left behind",
  empty: "An empty file",
  duplicate: "The same file occurs earlier",
  unsafe_path: "Its path leads out of the archive",
  name_too_long: "Its name is too long",
  name_invalid: "It has no valid name",
  symbolic_link: "A symbolic link",
  hard_link: "A hard link",
  special_file: "A device or another special file",
  overlapping_entries: "It claims bytes of another entry",
  unsupported_method: "Its compression method is not supported",
  checksum_mismatch: "Its checksum is wrong",
  size_mismatch: "Its size differs from what the archive says",
  truncated: "The archive ends in the middle of it",
  corrupt_entry: "It is damaged",
  password_required: "It is encrypted; enter the password",
  password_wrong: "The password does not open it",
  entry_too_large: "It is too large",
  archive_too_large: "The contents of the archive are too large",
  ratio_exceeded: "It unpacks to far more than a document would",
  too_many_entries: "The archive has too many entries",
  nested_too_deep: "Archives are nested too deeply",
  several_archives: "The file is several ZIP archives in a row, and only the last was unpacked",
  entry_timeout: "Unpacking it took too long",
};

export function entryReason(code: string): string {
  return REASONS[code] ?? code;
}

export function incompleteWords(code: string): string {
  return `There may be more entries than are listed. ${entryReason(code)}.`;
}
