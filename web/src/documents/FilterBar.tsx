import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { Search, X } from "lucide-react";
import { useRef, useState } from "react";
import { classesQuery } from "@/api/classes";
import type { Sort } from "@/api/documents";
import { Button } from "@/components/Button";
import { Select, TextInput } from "@/components/Inputs";
import { nameInWords } from "@/fields/path";
import { type ListSearch, narrows, NEWEST_FIRST, STATUS_CHOICES } from "./filter";

const TYPING_MS = 200;

const ORDERS: readonly (readonly [Sort, string])[] = [
  ["-created_at", "Newest first"],
  ["created_at", "Oldest first"],
  ["filename", "Name A–Z"],
  ["-filename", "Name Z–A"],
  ["confidence", "Lowest confidence first"],
  ["-confidence", "Highest confidence first"],
  ["-size", "Largest first"],
  ["size", "Smallest first"],
];

/** Filters are part of the URL, so that they can be bookmarked and shared. */
export function FilterBar({ search, sort }: { search: ListSearch; sort: Sort }) {
  const navigate = useNavigate({ from: "/documents" });
  const { data: kinds } = useQuery(classesQuery);
  const set = (change: ListSearch) => navigate({ search: (former) => ({ ...former, ...change }), replace: true });
  return (
    <div role="search" aria-label="Documents" className="flex flex-wrap gap-2">
      <NameInput value={search.q ?? ""} set={(q) => set({ q })} />
      <Select
        aria-label="Status"
        className="min-w-0 flex-1 max-sm:pr-1! max-sm:pl-2! sm:flex-none"
        value={search.status ?? ""}
        onChange={(event) => void set({ status: event.target.value || undefined })}
      >
        <option value="">Any status</option>
        {STATUS_CHOICES.map(([value, label]) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </Select>
      <Select
        aria-label="Kind of document"
        className="min-w-0 flex-1 max-sm:pr-1! max-sm:pl-2! sm:max-w-48 sm:flex-none"
        value={search.class ?? ""}
        onChange={(event) => void set({ class: event.target.value || undefined })}
      >
        <option value="">Any kind</option>
        {kinds?.map((kind) => (
          <option key={kind.name} value={kind.name}>
            {nameInWords(kind.name)}
          </option>
        ))}
      </Select>
      <Select
        aria-label="Sort order"
        className="min-w-0 flex-1 max-sm:pr-1! max-sm:pl-2! sm:flex-none lg:hidden"
        value={sort}
        onChange={(event) => void set({ sort: event.target.value === NEWEST_FIRST ? undefined : event.target.value })}
      >
        {ORDERS.map(([value, label]) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </Select>
      {narrows(search) ? (
        <Button look="quiet" icon={<X aria-hidden className="size-4" />} onClick={() => void set({ q: undefined, status: undefined, class: undefined })}>
          <span className="max-sm:sr-only">Clear</span>
        </Button>
      ) : null}
    </div>
  );
}

/** The URL is updated when the typing pauses. */
function NameInput({ value, set }: { value: string; set: (value: string | undefined) => Promise<void> }) {
  const [typed, setTyped] = useState<string | null>(null);
  const timer = useRef(0);
  const type = (text: string) => {
    setTyped(text);
    window.clearTimeout(timer.current);
    timer.current = window.setTimeout(async () => {
      await set(text.trim() || undefined);
      setTyped((latest) => (latest === text ? null : latest));
    }, TYPING_MS);
  };
  return (
    <div className="relative w-full sm:w-64">
      <Search aria-hidden className="pointer-events-none absolute top-2.5 left-3 size-4 text-muted" />
      <TextInput
        type="search"
        aria-label="Search by name"
        placeholder="Search by name"
        autoComplete="off"
        spellCheck={false}
        maxLength={200}
        className="w-full pl-9"
        value={typed ?? value}
        onChange={(event) => type(event.target.value)}
      />
    </div>
  );
}
