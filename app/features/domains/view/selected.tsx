import type { ReactNode } from "react";
import { Form, Link } from "#app/remix/react.ts";
import { Button } from "#app/ui/button.tsx";
import { Confirm, countSentence, countText } from "#app/ui/confirm.tsx";
import { DomainName } from "#app/ui/name.tsx";
import { Page } from "#app/ui/page.tsx";
import { Table } from "#app/ui/table.tsx";
import type { SelectionResult } from "../selected.server.ts";

const BUTTONS = [
  ["prove", "Prove again"],
  ["watch", "Watch"],
  ["revoke", "Revoke links…"],
  ["archive", "Archive…"],
] as const;

/** A list with rows to tick, and the actions for ticked rows. */
export function SelectForm({ isArchive, children }: { isArchive: boolean; children: ReactNode }) {
  const buttons = isArchive ? [["unarchive", "Take out of the archive"] as const] : BUTTONS;
  return (
    <Form method="post" action="/domains/selected" className="stack">
      {children}
      <fieldset className="row sans">
        <legend className="small soft">With the ticked domains</legend>
        {buttons.map(([intent, words]) => (
          <Button key={intent} kind="quiet" intent={intent}>
            {words}
          </Button>
        ))}
      </fieldset>
    </Form>
  );
}

const DONE_TEXTS = {
  prove: "being proved",
  watch: "watched",
  revoke: "no longer shared",
  archive: "archived",
  unarchive: "back on your list",
} as const;

const Ids = ({ domains }: { domains: readonly { id: string }[] }) =>
  domains.map(({ id }) => <input key={id} type="hidden" name="id" value={id} />);

export const toList = <Link to="/domains">Domains</Link>;

export function SelectedPage({ asked, selected, results }: SelectionResult) {
  const sum = (which: "openClaims" | "liveLinks") =>
    selected.reduce((total, { impact }) => total + impact[which], 0);
  const count = countText((results ?? selected).length, "domain");
  const act = asked === "archive" ? `Archive ${count}` : `Revoke the links of ${count}`;
  const links = countSentence(sum("liveLinks"), "proof link", "will be revoked for good.");
  if (results === null)
    return (
      <Confirm
        above="Ticked on your list"
        title={`${act}?`}
        consequences={
          asked === "archive"
            ? [
                "They are taken off your list. You find them under “Archived” and can take them out at any time.",
                countSentence(sum("openClaims"), "open claim", "will be canceled."),
                links,
              ]
            : [links || "None of them has a proof link.", "The proofs keep their dates."]
        }
        what={
          <ul>
            {selected.map(({ domain: { id, name, unicodeName } }) => (
              <li key={id}>
                <DomainName ascii={name} unicode={unicodeName} />
              </li>
            ))}
          </ul>
        }
        actionLabel={act}
        back="/domains"
      >
        <input type="hidden" name="act" value={asked} />
        <Ids domains={selected.map(({ domain }) => domain)} />
      </Confirm>
    );
  const done = results.filter(({ problem }) => problem === null).length;
  const unproved = results.filter(({ problem }) => problem?.code === "claim_not_proved");
  const part = done === 0 ? "No domain" : done < results.length ? `${done} of ${count}` : count;
  return (
    <Page above={toList} title={`${part} ${DONE_TEXTS[asked]}`}>
      <Table
        rows={results}
        columns={{
          Domain: ({ id, name, unicodeName }) => (
            <Link to={`/domains/${id}`} className="named">
              <DomainName ascii={name} unicode={unicodeName} />
            </Link>
          ),
          Result: ({ problem }) => problem?.message ?? DONE_TEXTS[asked],
        }}
      />
      <Form method="post" action="/domains/selected" className="row">
        <Ids domains={unproved} />
        {unproved.length > 0 ? (
          <Button kind="primary" intent="prove">
            Prove {countText(unproved.length, "domain")}
          </Button>
        ) : null}{" "}
        <Link to="/domains" className="button">
          Back to your list
        </Link>
      </Form>
    </Page>
  );
}
