import { useCallback, useEffect, useRef } from "react";

const LATER_MS = 400;

/** Does only the last of what is asked for in quick succession: an address that follows every key would hold the keys up. */
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
