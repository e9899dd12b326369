import { Form } from "@remix-run/react";
import type { ShownRehearsal } from "#app/services/screens/rehearsal.server.ts";
import { Button } from "../ui/button.tsx";
import { FoundLabel } from "../ui/compare.tsx";
import { Field } from "../ui/field.tsx";
import { Notice } from "../ui/notice.tsx";
import { Facts } from "../ui/page.tsx";
import { StateWord } from "../ui/state.tsx";
import type { ExpectedRecord } from "./comparison.tsx";
import { Diagnosis } from "./diagnosis.tsx";

function verdict({ name, value }: ShownRehearsal): string {
  if (name === null) return "That value is right.";
  if (value === null) return "That name is right.";
  return "If you save this, Deed will find it.";
}

function Outcome({ rehearsal, record }: { rehearsal: ShownRehearsal; record: ExpectedRecord }) {
  const { name, type, value, diagnosis, pastes, warning } = rehearsal;
  const warningNotice = warning ? (
    <Notice tone="needs" title="Before you save it">
      <p>{warning}</p>
    </Notice>
  ) : null;
  if (diagnosis) {
    return (
      <>
        <StateWord tone="needs" word="not right yet" />
        <FoundLabel.Provider value="If saved">
          <Diagnosis diagnosis={diagnosis} record={record} pastes={pastes} />
        </FoundLabel.Provider>
        {warningNotice}
      </>
    );
  }
  return (
    <>
      <StateWord tone="proved" word={verdict(rehearsal)} />
      <Facts
        rows={[
          name === null ? null : ["It will be at", <code key="name">{name}</code>],
          ["Type", <code key="type">{type}</code>],
          value === null ? null : ["Value", <code key="value">{value}</code>],
        ]}
      />
      {warningNotice}
    </>
  );
}

/** Checks a record before it is saved: what it would become, and what would be wrong with it. */
export function Rehearsal({
  claimId,
  record,
  typed,
  error,
  outcome,
  at,
}: {
  claimId: string;
  record: ExpectedRecord;
  typed: string;
  error: string | null;
  /** The outcome for the last text; null if none was submitted. */
  outcome: ShownRehearsal | null;
  /** When the page was served. */
  at: string;
}) {
  return (
    <>
      <Form
        method="post"
        action={`/claims/${claimId}#rehearse`}
        className="stack"
        preventScrollReset
      >
        <input type="hidden" name="at" value={at} />
        <Field
          label="Check a record before you save it"
          name="line"
          isMachineText
          rows={2}
          defaultValue={typed}
          error={error}
          hint="Paste the name or the value you typed, or a line of your zone file."
        />
        <Button intent="rehearse">Check it</Button>
      </Form>
      <div role="status" className="stack">
        {outcome ? <Outcome rehearsal={outcome} record={record} /> : null}
      </div>
    </>
  );
}
