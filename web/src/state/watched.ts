/** A value outside React that components can subscribe to with `useSyncExternalStore`. */
export interface Watched<Value> {
  get(): Value;
  set(value: Value): void;
  tell(): void;
  subscribe(listener: () => void): () => void;
}

export function watched<Value>(initial: Value): Watched<Value> {
  let held = initial;
  const listeners = new Set<() => void>();
  const tell = () => {
    for (const listener of listeners) listener();
  };
  return {
    get: () => held,
    set(value) {
      held = value;
      tell();
    },
    tell,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
