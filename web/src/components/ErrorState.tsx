import { CircleAlert } from "lucide-react";
import { ApiProblem } from "@/api/http";
import { Button } from "./Button";
import { explain } from "./explain";

/** An error in plain words, with a retry button. */
export function ErrorState({ error, retry, title = "Something went wrong" }: { error: unknown; retry?: () => void; title?: string }) {
  return (
    <div role="alert" className="mx-auto flex max-w-md flex-col items-center gap-3 px-6 py-12 text-center">
      <CircleAlert aria-hidden className="size-8 text-bad" />
      <h2 className="text-lg font-semibold">{title}</h2>
      <p className="text-muted">{explain(error)}</p>
      {error instanceof ApiProblem ? <p className="font-mono text-xs text-muted">{error.code}</p> : null}
      {retry ? <Button onClick={retry}>Try again</Button> : null}
    </div>
  );
}
