import { describe, expect, it } from "vitest";
import { walk } from "./folders";

const fileEntry = (path: string, broken = false) =>
  ({
    isFile: true, isDirectory: false, name: path.split("/").at(-1), fullPath: path,
    file: (take: (file: File) => void, refuse: (error: Error) => void) => (broken ? refuse(new Error("denied")) : take(new File(["x"], path))),
  }) as unknown as FileSystemEntry;

/** Like a browser's reader, which returns some entries at a time, then none. */
const folderEntry = (path: string, children: FileSystemEntry[], atATime = 2) =>
  ({
    isFile: false, isDirectory: true, name: path.split("/").at(-1), fullPath: path,
    createReader: () => {
      const left = [...children];
      return { readEntries: (take: (entries: FileSystemEntry[]) => void) => take(left.splice(0, atATime)) };
    },
  }) as unknown as FileSystemEntry;

describe("a dropped folder", () => {
  it("is read completely, however many calls its reader needs", async () => {
    const files = Array.from({ length: 7 }, (_, number) => fileEntry(`/mail/${number}.pdf`));
    const { files: found } = await walk([folderEntry("/mail", [...files, folderEntry("/mail/old", [fileEntry("/mail/old/z.pdf")])]), fileEntry("/b.pdf")]);
    expect(found.map(({ path }) => path)).toEqual([...files.map(({ fullPath }) => fullPath.slice(1)), "mail/old/z.pdf", "b.pdf"]);
  });

  it("skips system files, unless one is dropped directly", async () => {
    const left = [".DS_Store", "Thumbs.db", "~$letter.docx"].map((name) => fileEntry(`/mail/${name}`));
    const { files } = await walk([folderEntry("/mail", [...left, fileEntry("/mail/a.pdf")]), fileEntry("/.hidden.pdf")]);
    expect(files.map(({ path }) => path)).toEqual(["mail/a.pdf", ".hidden.pdf"]);
  });

  it("can be dropped together with a file that is not on disk", async () => {
    const { files } = await walk([folderEntry("/mail", [fileEntry("/mail/a.pdf")]), new File(["x"], "from a mail.pdf")]);
    expect(files.map(({ path }) => path)).toEqual(["mail/a.pdf", "from a mail.pdf"]);
  });

  it("reports entries that cannot be opened and returns the others", async () => {
    const found = await walk([folderEntry("/mail", [fileEntry("/mail/locked.pdf", true), fileEntry("/mail/a.pdf")])]);
    expect(found.files).toHaveLength(1);
    expect(found.unreadable).toEqual(["locked.pdf"]);
  });
});
