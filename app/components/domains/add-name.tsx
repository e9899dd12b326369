import { Form, useFetcher } from "@remix-run/react";
import { useEffect, useId, useRef, useState } from "react";
import type { KnownName } from "#app/services/domains/known-names.server.ts";
import { Button } from "../ui/button.tsx";
import { NameField } from "../ui/field.tsx";
import { dayText } from "../ui/time.tsx";

/** How long typing rests before the account's names are asked for, in milliseconds. */
const REST_MS = 200;

/** What became of a name, in a few words. */
function fate({ archived, status, endedAt }: KnownName): string {
  const ending = endedAt ? `${status} ${dayText(endedAt)}` : status === "pending" ? "open" : status;
  return archived ? `archived, ${ending}` : ending;
}

/** What is typed as the account's names are kept: lower case, without the root's dot. */
const wantedBy = (typed: string): string => typed.trim().toLowerCase().replace(/\.$/, "");

/** The name of the list that was typed whole, in either of its forms. */
const exactly = (known: readonly KnownName[], typed: string): KnownName | undefined => {
  const wanted = wantedBy(typed);
  return known.find(({ name, unicodeName }) => name === wanted || unicodeName === wanted);
};

/** Names of the account that fit what is typed, as script learns them; those served with the page before. */
function useKnown(served: KnownName[], typed: string): KnownName[] {
  const { data, load } = useFetcher<{ known: KnownName[] }>();
  const asked = useRef(typed);
  useEffect(() => {
    if (asked.current === typed) return;
    const timer = setTimeout(() => {
      asked.current = typed;
      load(`/domains?index&add=${encodeURIComponent(wantedBy(typed))}`);
    }, REST_MS);
    return () => clearTimeout(timer);
  }, [typed, load]);
  return data?.known ?? served;
}

/** Puts a name on the list. The field offers every name the account ever had, with how it ended. */
export function AddName({
  typed,
  error,
  known: served,
}: {
  typed: string;
  error: string | undefined;
  known: KnownName[];
}) {
  const [text, setText] = useState(typed);
  const known = useKnown(served, text);
  const listId = useId();
  const had = exactly(known, text);
  return (
    <Form method="post" action="/domains?index" className="stack">
      <div className="line">
        <NameField
          label="Domain name"
          name="domain"
          typed={typed}
          error={error}
          list={listId}
          onType={setText}
        />
        <Button kind="primary" intent="claim">
          Claim it
        </Button>
        <Button intent="add">Only add it</Button>
      </div>
      <datalist id={listId}>
        {known.map((each) => (
          <option
            key={each.name}
            value={each.unicodeName}
            label={`${each.unicodeName} · ${fate(each)}`}
          />
        ))}
      </datalist>
      <p role="status" className="hint">
        {had ? `You have had this name: ${fate(had)}.` : null}
      </p>
    </Form>
  );
}
