import { X } from "lucide-react";
import { type ReactNode, useEffect, useId, useRef } from "react";
import { IconButton } from "./Button";

interface Props {
  open: boolean;
  close: () => void;
  title: string;
  children: ReactNode;
  actions?: ReactNode;
}

/** The browser's modal dialog: it traps the focus, closes with Escape and restores the focus. */
export function Dialog({ open, close, title, children, actions }: Props) {
  const element = useRef<HTMLDialogElement>(null);
  const heading = useId();
  useEffect(() => {
    if (open) element.current?.showModal();
    else element.current?.close();
  }, [open]);
  return (
    <dialog
      ref={element}
      aria-labelledby={heading}
      onClose={close}
      className="m-auto w-full max-w-lg rounded-2xl border border-line bg-surface p-0 text-ink shadow-xl backdrop:bg-black/50"
    >
      {open ? (
        <div className="flex flex-col gap-4 p-5">
          <div className="flex items-start justify-between gap-4">
            <h2 id={heading} className="text-lg font-semibold">
              {title}
            </h2>
            <IconButton label="Close" onClick={close}>
              <X aria-hidden className="size-4" />
            </IconButton>
          </div>
          <div>{children}</div>
          {actions ? <div className="flex flex-wrap justify-end gap-2">{actions}</div> : null}
        </div>
      ) : null}
    </dialog>
  );
}
