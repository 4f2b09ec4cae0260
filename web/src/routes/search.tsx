import { useQuery } from "@tanstack/react-query";
import { Search, SearchX } from "lucide-react";
import { type FormEvent, type KeyboardEvent, useState } from "react";
import { classesQuery } from "@/api/classes";
import { searchQuery } from "@/api/search";
import { Button } from "@/components/Button";
import { classes } from "@/components/classes";
import { EmptyState } from "@/components/EmptyState";
import { ErrorState } from "@/components/ErrorState";
import { Select, TextInput } from "@/components/Inputs";
import { SkeletonRows } from "@/components/Skeleton";
import { AnswerNote } from "@/search/AnswerNote";
import { nameInWords } from "@/fields/path";
import { focusFirstHit, SearchResults } from "@/search/SearchResults";
import { useQuestion } from "@/search/useQuestion";
import { SEARCH_BOX } from "@/search/useSearchShortcut";
import { chooseProject, useProject } from "@/state/project";

const A_PAGE = 20;
const MAX_HITS = 100;

export function SearchPage() {
  const question = useQuestion();
  const project = useProject();
  const [more, setMore] = useState({ of: question.asked, limit: A_PAGE });
  const limit = more.of === question.asked ? more.limit : A_PAGE;
  const found = useQuery(searchQuery({ q: question.asked, class: question.class, project, limit }));
  const answer = question.asked === "" ? undefined : found.data;
  const isOld = found.isPlaceholderData;

  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (question.text.trim() === question.asked && !isOld) focusFirstHit();
    else question.ask(question.text);
  };
  const intoHits = (event: KeyboardEvent) => {
    if (event.key !== "ArrowDown") return;
    event.preventDefault();
    focusFirstHit();
  };
  return (
    <div className="mx-auto flex max-w-4xl flex-col gap-4 p-4 md:p-6">
      <h1 className="text-xl font-semibold">Search</h1>
      <form role="search" onSubmit={submit} className="flex flex-wrap gap-2">
        <span className="relative min-w-56 flex-1">
          <Search aria-hidden className="pointer-events-none absolute top-1/2 left-3 size-4 -translate-y-1/2 text-muted" />
          <TextInput
            id={SEARCH_BOX}
            type="search"
            aria-label="Search the text of all documents"
            aria-keyshortcuts="/"
            placeholder="Search documents"
            autoComplete="off"
            maxLength={400}
            // The search box is the main control of this page.
            // eslint-disable-next-line jsx-a11y/no-autofocus
            autoFocus
            className="w-full pl-9"
            value={question.text}
            onChange={(event) => question.type(event.target.value)}
            onKeyDown={intoHits}
          />
        </span>
        <ClassFilter chosen={question.class} choose={question.chooseClass} />
      </form>
      <p role="status" className="sr-only">
        {answer && !isOld ? countWords(answer.hits.length, new Set(answer.hits.map((hit) => hit.document_id)).size) : ""}
      </p>
      {question.asked === "" ? (
        <Beginning />
      ) : found.isError ? (
        <ErrorState error={found.error} retry={() => void found.refetch()} />
      ) : answer === undefined ? (
        <SkeletonRows rows={5} className="h-30 rounded-xl" />
      ) : (
        <div className={classes("flex flex-col gap-3 transition-opacity", isOld && "opacity-60")} aria-busy={isOld}>
          {isOld ? null : <AnswerNote question={question.asked} answer={answer} />}
          {answer.hits.length > 0 ? <SearchResults answer={answer} /> : null}
          {answer.hits.length === 0 && !isOld ? <NothingFound question={question} project={project} /> : null}
          {answer.hits.length >= limit && limit < MAX_HITS ? (
            <Button className="self-center" busy={found.isFetching} onClick={() => setMore({ of: question.asked, limit: MAX_HITS })}>
              Show more
            </Button>
          ) : null}
        </div>
      )}
    </div>
  );
}

function countWords(hits: number, documents: number): string {
  if (hits === 0) return "Nothing found";
  return `${hits} ${hits === 1 ? "passage" : "passages"} in ${documents} ${documents === 1 ? "document" : "documents"}`;
}

function ClassFilter({ chosen, choose }: { chosen: string | undefined; choose: (name: string | undefined) => void }) {
  const { data: known } = useQuery(classesQuery);
  const names = (known ?? []).map((each) => each.name);
  const shown = chosen !== undefined && !names.includes(chosen) ? [chosen, ...names] : names;
  return (
    <Select aria-label="Kind of document" value={chosen ?? ""} onChange={(event) => choose(event.target.value || undefined)}>
      <option value="">All kinds</option>
      {shown.map((name) => (
        <option key={name} value={name}>
          {nameInWords(name)}
        </option>
      ))}
    </Select>
  );
}

function Beginning() {
  return (
    <EmptyState icon={<Search aria-hidden className="size-8" />} title="Search all documents">
      <p>
        Type what you remember: a name, a number, a few words. Small typing errors do not matter. Put several words in “quotes” to find them side by side.
      </p>
      <p className="mt-3 hidden text-sm md:block">
        Press <Key>/</Key> to search from anywhere, <Key>↓</Key> <Key>↑</Key> to move through the results, <Key>Enter</Key> to open one.
      </p>
    </EmptyState>
  );
}

function Key({ children }: { children: string }) {
  return <kbd className="rounded-md border border-line-strong bg-surface px-1.5 py-0.5 font-mono text-xs text-ink">{children}</kbd>;
}

function NothingFound({ question, project }: { question: ReturnType<typeof useQuestion>; project: string | null }) {
  return (
    <EmptyState
      icon={<SearchX aria-hidden className="size-8" />}
      title={`Nothing found for ${question.asked.includes('"') ? question.asked : `“${question.asked}”`}`}
      actions={
        <>
          {question.class !== undefined ? <Button onClick={() => question.chooseClass(undefined)}>Search all kinds</Button> : null}
          {project !== null ? <Button onClick={() => chooseProject(null)}>Search all projects</Button> : null}
          {question.asked.includes('"') ? <Button onClick={() => question.ask(question.asked.replaceAll('"', ""))}>Search without quotes</Button> : null}
        </>
      }
    >
      Try fewer or different words. Documents are searchable once they have been processed.
    </EmptyState>
  );
}
