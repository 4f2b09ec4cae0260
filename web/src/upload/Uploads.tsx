import { useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { useMay } from "@/api/session";
import { showNew } from "@/documents/listCache";
import { DropTarget } from "./DropTarget";
import { UploadPanel } from "./UploadPanel";
import { onStored } from "./uploads";
import { useWishes } from "./wishes";

/** The window as a place to drop files, and the list of those on their way. */
export function Uploads() {
  const queries = useQueryClient();
  const mayWrite = useMay("write");
  const wishes = useWishes();
  useEffect(() => onStored((documents) => showNew(queries, documents)), [queries]);
  if (!mayWrite) return null;
  return (
    <>
      <DropTarget wishes={wishes} />
      <UploadPanel />
    </>
  );
}
