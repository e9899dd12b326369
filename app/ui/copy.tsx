import { useEffect, useState } from "react";
import { Dotted } from "./name.tsx";

/** Whether script runs on the page. */
export function useHydrated(): boolean {
  const [isHydrated, setHydrated] = useState(false);
  useEffect(() => setHydrated(true), []);
  return isHydrated;
}

/** Copies `text`. Hidden without script, or if the browser has no clipboard. */
export function Copy({ text, what }: { text: string; what: string }) {
  const isHydrated = useHydrated();
  const [done, setDone] = useState(false);
  useEffect(() => {
    if (!done) return;
    const timer = setTimeout(() => setDone(false), 2_000);
    return () => clearTimeout(timer);
  }, [done]);
  if (!isHydrated || !navigator.clipboard) return null;
  return (
    <>
      <button
        type="button"
        className="quiet copy screen-only"
        aria-label={`Copy ${what}`}
        onClick={() => navigator.clipboard.writeText(text).then(() => setDone(true))}
      >
        {done ? "Copied" : "Copy"}
      </button>
      <span role="status" className="unseen">
        {done ? "Copied" : null}
      </span>
    </>
  );
}

/** A value to copy: one click selects all of it, a button copies it. */
export const Value = ({ text, what }: { text: string; what: string }) => (
  <span className="value">
    <code>
      <bdi>
        {/* Breaks after dots only: a secret's slashes do not divide it. */}
        <Dotted name={text} breaks={/(?<=\.)/} />
      </bdi>
    </code>{" "}
    <Copy text={text} what={what} />
  </span>
);
