import { useCallback, useEffect, useRef } from "react";

const LATER_MS = 400;

/** Debounces calls, because updating the URL on every key press would slow down typing. */
export function useLater<Argument>(act: (argument: Argument) => void): (argument: Argument) => void {
  const timer = useRef(0);
  useEffect(() => () => window.clearTimeout(timer.current), []);
  return useCallback(
    (argument: Argument) => {
      window.clearTimeout(timer.current);
      timer.current = window.setTimeout(() => act(argument), LATER_MS);
    },
    [act],
  );
}
