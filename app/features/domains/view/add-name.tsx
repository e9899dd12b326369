import { Form, useFetcher } from "@remix-run/react";
import { useEffect, useId, useRef, useState } from "react";
import { MAX_REFERENCE } from "#app/core/reference.ts";
import { Button } from "#app/ui/button.tsx";
import { Field, NameField } from "#app/ui/field.tsx";
import { Fold } from "#app/ui/page.tsx";
import { dayText } from "#app/ui/time.tsx";
import type { KnownName } from "../domain-rows.server.ts";

const DEBOUNCE_MS = 200;

const STATES: Record<string, string> = { pending: "open", unclaimed: "not proved yet" };

function stateText({ archived, status, endedAt }: KnownName): string {
  const state = endedAt ? `${status} ${dayText(endedAt)}` : (STATES[status] ?? status);
  return archived ? `archived, ${state}` : state;
}

/** The typed text in the form names are stored in: lower case, without the trailing dot. */
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

export type TypedName = {
  domain: string;
  reference: string;
  error?: { field: "domain" | "reference"; message: string };
};

export function AddName({ typed, known: served }: { typed: TypedName; known: KnownName[] }) {
  const { domain, reference, error } = typed;
  const [text, setText] = useState(domain);
  const errorOf = (field: "domain" | "reference") =>
    error?.field === field ? error.message : undefined;
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
          error={errorOf("domain")}
          list={listId}
          onType={setText}
        />
        <Button kind="primary" intent="claim">
          Prove it
        </Button>{" "}
        <Button intent="add">Add to list</Button>
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
        {match ? `You have had this domain: ${stateText(match)}.` : null}
      </p>
      <Fold title="Add a reference" open={reference !== ""}>
        <Field
          label="Reference"
          name="reference"
          hint="Your own id of whom the domain is for, such as a customer’s number. The same domain can be there once for each, with its own record and proof."
          error={errorOf("reference")}
          defaultValue={reference}
          autoComplete="off"
          maxLength={MAX_REFERENCE}
        />
      </Fold>
    </Form>
  );
}
