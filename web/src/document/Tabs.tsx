import { type KeyboardEvent, type ReactNode, useId, useRef } from "react";
import { classes } from "@/components/classes";

export interface Tab {
  id: string;
  label: string;
}

interface Props {
  tabs: readonly Tab[];
  chosen: string;
  choose: (id: string) => void;
  children: ReactNode;
}

export function Tabs({ tabs, chosen, choose, children }: Props) {
  const name = useId();
  const list = useRef<HTMLDivElement>(null);
  const onKey = (event: KeyboardEvent) => {
    const by = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
    if (by === 0) return;
    const at = tabs.findIndex((tab) => tab.id === chosen);
    const next = tabs[(at + by + tabs.length) % tabs.length];
    if (next === undefined) return;
    event.preventDefault();
    choose(next.id);
    list.current?.querySelector<HTMLElement>(`[data-tab="${next.id}"]`)?.focus();
  };
  return (
    <div className="flex h-full min-h-0 flex-col">
      <div
        ref={list}
        role="tablist"
        aria-label="Views"
        tabIndex={-1}
        onKeyDown={onKey}
        className="flex shrink-0 overflow-x-auto border-b border-line bg-surface px-1 sm:gap-1 sm:px-2"
      >
        {tabs.map((tab) => (
          <button
            key={tab.id}
            type="button"
            role="tab"
            id={`${name}-${tab.id}`}
            data-tab={tab.id}
            aria-selected={tab.id === chosen}
            aria-controls={`${name}-panel`}
            tabIndex={tab.id === chosen ? 0 : -1}
            onClick={() => choose(tab.id)}
            className={classes(
              "min-h-11 flex-1 border-b-2 px-2 text-sm sm:flex-none sm:px-3 whitespace-nowrap -outline-offset-2",
              tab.id === chosen ? "border-accent font-medium text-accent" : "border-transparent text-muted hover:text-ink",
            )}
          >
            {tab.label}
          </button>
        ))}
      </div>
      <div role="tabpanel" id={`${name}-panel`} aria-labelledby={`${name}-${chosen}`} className="relative min-h-0 flex-1 overflow-y-auto">
        {children}
      </div>
    </div>
  );
}
