import { Link } from "@tanstack/react-router";
import { FileQuestion } from "lucide-react";
import { EmptyState } from "@/components/EmptyState";

export function NotFound() {
  return (
    <main>
      <h1 className="sr-only">Docsieve</h1>
      <EmptyState icon={<FileQuestion aria-hidden className="size-8" />} title="Page not found">
        <Link to="/documents" className="text-accent underline">
          Go to documents
        </Link>
      </EmptyState>
    </main>
  );
}
