import { useEffect, useId, useRef, useState } from "react";
import { Form, Link, useFetcher } from "#app/remix/react.ts";
import { Button } from "#app/ui/button.tsx";
import { NameField } from "#app/ui/field.tsx";
import { dayText } from "#app/ui/time.tsx";
import type { KnownName } from "../domain-rows.server.ts";

const DEBOUNCE_MS = 200;

const STATES: Record<string, string> = { pending: "in progress", unclaimed: "not started" };

function stateText({ archived, status, endedAt }: KnownName): string {
  const state = endedAt ? `${status} on ${dayText(endedAt)}` : (STATES[status] ?? status);
  return archived ? `archived, ${state}` : state;
}

/** The typed text as names are stored: in lower case, without a dot at the end. */
const canonical = (typed: string): string => typed.trim().toLowerCase().replace(/\.$/, "");

function useKnownNames(served: KnownName[], typed: string): KnownName[] {
  const { data, load } = useFetcher<{ known: KnownName[] }>();
  const lastQuery = useRef(typed);
  useEffect(() => {
    if (lastQuery.current === typed) return;
    const timer = setTimeout(() => {
      lastQuery.current = typed;
      load(`/domains?index&add=${encodeURIComponent(canonical(typed))}`);
    }, DEBOUNCE_MS);
    return () => clearTimeout(timer);
  }, [typed, load]);
  return data?.known ?? served;
}

/** `isDoubted`: the error is a doubt, and pressing once more overrules it; `guess`: the name probably meant. */
export type TypedName = {
  domain: string;
  error?: string;
  isDoubted?: boolean;
  guess?: string | null;
};

export function AddName({ typed, known: served }: { typed: TypedName; known: KnownName[] }) {
  const { domain, error, isDoubted, guess } = typed;
  const [text, setText] = useState(domain);
  const known = useKnownNames(served, text);
  const listId = useId();
  const match = known.find((each) => [each.name, each.unicodeName].includes(canonical(text)));
  return (
    <Form method="post" action="/domains?index" className="stack">
      <div className="line">
        <NameField
          label="Your domain"
          name="domain"
          typed={domain}
          error={error}
          list={listId}
          onType={setText}
        />
        <Button kind="primary" intent="claim">
          Add domain
        </Button>{" "}
        {guess ? (
          <button type="submit" name="guess" value={guess}>
            Use {guess}
          </button>
        ) : null}{" "}
        {isDoubted ? <Button intent="sure">Add it anyway</Button> : null}
      </div>
      <datalist id={listId}>
        {known.map((each) => (
          <option
            key={each.name}
            value={each.unicodeName}
            label={`${each.unicodeName} · ${stateText(each)}`}
          />
        ))}
      </datalist>
      <p role="status" className="hint">
        {match ? (
          <>
            Already {match.status === "unclaimed" ? "on your list: " : null}
            {stateText(match)}. <Link to={`/domains/${match.id}`}>View it</Link>
          </>
        ) : null}
      </p>
    </Form>
  );
}
