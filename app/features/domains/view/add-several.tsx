import { useRef } from "react";
import { MAX_REFERENCE } from "#app/core/reference.ts";
import { Form, Link } from "#app/remix/react.ts";
import { ActionButton, Button } from "#app/ui/button.tsx";
import { Field } from "#app/ui/field.tsx";
import { DomainName } from "#app/ui/name.tsx";
import { capitalised, Fold, StateWord } from "#app/ui/page.tsx";
import { Table } from "#app/ui/table.tsx";
import {
  type LineResult,
  MAX_LINES,
  OUTCOME_WORDS,
  type SeveralAnswer,
  summaryOf,
} from "../several-lines.ts";

const COLUMNS = {
  Domain: (line: LineResult) =>
    line.outcome === "refused" ? (
      <bdi className="name">{line.shown}</bdi>
    ) : (
      <Link to={line.href} className="named">
        <DomainName ascii={line.name} unicode={line.unicodeName} />
      </Link>
    ),
  Result: (line: LineResult) =>
    line.outcome === "refused" ? (
      <>
        <StateWord tone="needs" word="refused" /> · {line.message}
      </>
    ) : (
      <div className="row">
        {`${capitalised(OUTCOME_WORDS[line.outcome])}${line.isWwwRemoved ? ", without www." : ""}`}{" "}
        {line.outcome === "added" ? (
          <ActionButton intent="claim" action={line.href} kind="linkish">
            Prove it<span className="unseen"> {line.name}</span>
          </ActionButton>
        ) : null}
      </div>
    ),
};

export function SeveralResults({ results }: { results: LineResult[] }) {
  const isRefused = ({ outcome }: LineResult) => outcome === "refused";
  const sorted = [...results].sort((a, b) => +isRefused(b) - +isRefused(a));
  return (
    <div className="stack after">
      <p role="status">{summaryOf(results)}.</p>
      <Table rows={sorted} columns={COLUMNS} />
    </div>
  );
}

export function AddSeveral({ answer }: { answer: SeveralAnswer | null }) {
  // With results, the field is filled anew; with an error, it keeps the typed text.
  const filledAt = useRef<string>(undefined);
  if (answer?.error === null) filledAt.current = answer.at;
  const errorOf = (field: "domains" | "reference") =>
    answer?.error?.field === field ? answer.error.message : undefined;
  return (
    <Fold title="Add several domains, or one for a customer" id="several" open={answer !== null}>
      <Form method="post" action="/domains?index&several" className="stack">
        <Field
          key={filledAt.current}
          label="Domains, one per line"
          name="domains"
          hint={`At most ${MAX_LINES}. Each line has its own result.`}
          error={errorOf("domains")}
          rows={6}
          isMachineText
          defaultValue={answer?.typed}
          required
        />
        <Field
          label="Reference"
          name="reference"
          hint="Your own ID for the customer, such as an account number. Several customers can have the same domain, each with its own record and proof."
          error={errorOf("reference")}
          defaultValue={answer?.reference}
          autoComplete="off"
          maxLength={MAX_REFERENCE}
        />
        <p className="row">
          <Button kind="primary" intent="claim">
            Prove all
          </Button>{" "}
          <Button intent="add">Add all to list</Button>{" "}
          {answer?.results.some((result) => result.outcome === "refused" && result.isDoubted) ? (
            <Button intent="sure">Prove all, even doubtful ones</Button>
          ) : null}
        </p>
        <p className="hint">“Add all to list” only lists them. You can prove them later.</p>
      </Form>
    </Fold>
  );
}
