import { FileText, Layers, ListChecks, Search, Workflow } from "lucide-react";

/** Navigation entries in order. A new page adds one line here and one in router.tsx. */
export const PAGES = [
  { to: "/documents", label: "Documents", icon: FileText },
  { to: "/batches", label: "Batches", icon: Layers },
  { to: "/review", label: "Review", icon: ListChecks },
  { to: "/search", label: "Search", icon: Search },
  { to: "/jobs", label: "Jobs", icon: Workflow },
] as const;
