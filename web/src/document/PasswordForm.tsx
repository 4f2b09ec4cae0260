import { useMutation } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { LockOpen } from "lucide-react";
import { type FormEvent, useId, useState } from "react";
import type { DocumentRead } from "@/api/documents";
import { Button } from "@/components/Button";
import { explain } from "@/components/explain";
import { TextInput } from "@/components/Inputs";
import { uploadWithPassword } from "./unlocking";

export function PasswordForm({ document }: { document: DocumentRead }) {
  const [password, setPassword] = useState("");
  const id = useId();
  const navigate = useNavigate();
  const unlock = useMutation({
    mutationFn: () => uploadWithPassword(document, password),
    onSuccess: (unlocked) => navigate({ to: "/documents/$documentId", params: { documentId: unlocked.id }, replace: true }),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (password) unlock.mutate();
  };
  return (
    <form onSubmit={submit} className="flex w-full max-w-xs flex-col gap-2 text-left">
      <label htmlFor={id} className="text-sm font-medium">
        Password of the document
      </label>
      <TextInput id={id} type="password" autoComplete="off" value={password} onChange={(event) => setPassword(event.target.value)} />
      {unlock.isError ? (
        <p role="alert" className="text-sm text-bad">
          {explain(unlock.error)}
        </p>
      ) : null}
      <Button type="submit" look="primary" busy={unlock.isPending} disabled={!password} icon={<LockOpen aria-hidden className="size-4" />}>
        Open and read it
      </Button>
      <p className="text-xs text-muted">The unlocked document takes the place of this one. The password is stored sealed and never shown.</p>
    </form>
  );
}
