import { useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { useMay } from "@/api/session";
import { showNew } from "@/documents/listCache";
import { DropTarget } from "./DropTarget";
import { UploadPanel } from "./UploadPanel";
import { onStored } from "./uploads";
import { useUploadOptions } from "./options";

/** The drop target and the list of uploads. */
export function Uploads() {
  const queries = useQueryClient();
  const mayWrite = useMay("write");
  const options = useUploadOptions();
  useEffect(() => onStored((documents) => showNew(queries, documents)), [queries]);
  if (!mayWrite) return null;
  return (
    <>
      <DropTarget options={options} />
      <UploadPanel />
    </>
  );
}
