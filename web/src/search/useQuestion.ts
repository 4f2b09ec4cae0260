import { useNavigate, useSearch } from "@tanstack/react-router";
import { useEffect, useRef, useState } from "react";

const PAUSE_MS = 150;

interface Question {
  /** The text in the search box. */
  text: string;
  type: (text: string) => void;
  /** The query: it follows the search box after a short pause and is part of the URL. */
  asked: string;
  /** Search now. */
  ask: (text: string) => void;
  class: string | undefined;
  chooseClass: (name: string | undefined) => void;
}

/** The query of the search page. It is part of the URL, so that it can be shared and works with the Back button. */
export function useQuestion(): Question {
  const { q = "", class: chosen } = useSearch({ from: "/signed-in/search" });
  const navigate = useNavigate();
  const [text, setText] = useState(q);
  const [seen, setSeen] = useState(q);
  const [sent, setSent] = useState(q);
  const pause = useRef<number | undefined>(undefined);
  if (q !== seen) {
    setSeen(q);
    if (q !== sent) setText(q);
  }
  useEffect(() => () => window.clearTimeout(pause.current), []);

  const ask = (given: string) => {
    window.clearTimeout(pause.current);
    const wanted = given.trim();
    setSent(wanted);
    void navigate({ to: "/search", search: (former) => ({ ...former, q: wanted || undefined }), replace: true });
  };
  return {
    text,
    type: (given) => {
      setText(given);
      window.clearTimeout(pause.current);
      pause.current = window.setTimeout(() => ask(given), PAUSE_MS);
    },
    asked: q.trim(),
    ask: (given) => {
      setText(given);
      ask(given);
    },
    class: chosen,
    chooseClass: (name) => void navigate({ to: "/search", search: (former) => ({ ...former, class: name }), replace: true }),
  };
}
