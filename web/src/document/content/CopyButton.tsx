import { Copy } from "lucide-react";
import { Button } from "@/components/Button";
import { showToast } from "@/state/toasts";

export function CopyButton({ text, label = "Copy" }: { text: () => string; label?: string }) {
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text());
      showToast({ tone: "good", text: "Copied." }, 3);
    } catch {
      // Browsers do not allow it on pages loaded without TLS from another machine.
      showToast({ tone: "bad", text: "The browser does not allow copying here. Select the text and copy it manually." });
    }
  };
  return (
    <Button icon={<Copy aria-hidden className="size-4" />} onClick={() => void copy()}>
      {label}
    </Button>
  );
}
