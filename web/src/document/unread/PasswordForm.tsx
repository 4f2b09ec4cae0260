import { useMutation, useQueryClient } from "@tanstack/react-query";
import { LockOpen } from "lucide-react";
import { type FormEvent, useId, useState } from "react";
import { unlockDocument } from "@/api/documents";
import { Button } from "@/components/Button";
import { explain } from "@/components/explain";
import { TextInput } from "@/components/Inputs";

export function PasswordForm({ documentId }: { documentId: string }) {
  const [password, setPassword] = useState("");
  const id = useId();
  const queries = useQueryClient();
  const unlock = useMutation({
    mutationFn: () => unlockDocument(documentId, password),
    onSettled: () => queries.invalidateQueries({ queryKey: ["documents", documentId] }),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (password) unlock.mutate();
  };
  return (
    <form onSubmit={submit} className="flex w-full max-w-xs flex-col gap-2 text-left">
      <label htmlFor={id} className="text-sm font-medium">
        Document password
      </label>
      <TextInput id={id} type="password" autoComplete="off" value={password} onChange={(event) => setPassword(event.target.value)} />
      {unlock.isError ? (
        <p role="alert" className="text-sm text-bad">
          {explain(unlock.error)}
        </p>
      ) : null}
      <Button type="submit" look="primary" busy={unlock.isPending} disabled={!password} icon={<LockOpen aria-hidden className="size-4" />}>
        Unlock and read
      </Button>
      <p className="text-xs text-muted">The password is stored encrypted and never shown.</p>
    </form>
  );
}
