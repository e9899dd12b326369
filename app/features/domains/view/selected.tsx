import type { ChangeEvent, ReactNode } from "react";
import { Form, Link } from "#app/remix/react.ts";
import { Button } from "#app/ui/button.tsx";
import { Confirm, countSentence, countText } from "#app/ui/confirm.tsx";
import { useHydrated } from "#app/ui/copy.tsx";
import { DomainName, Reference } from "#app/ui/name.tsx";
import { capitalised, Page } from "#app/ui/page.tsx";
import { Table } from "#app/ui/table.tsx";
import type { SelectionResult } from "../selected.server.ts";

const BUTTONS = [
  ["prove", "Prove"],
  ["watch", "Watch"],
  ["revoke", "Revoke links…"],
  ["archive", "Archive…"],
] as const;

/** Ticks all boxes of its form, or none. Hidden without script. */
function TickAll() {
  const tick = ({ currentTarget: { form, checked } }: ChangeEvent<HTMLInputElement>) => {
    for (const box of form?.querySelectorAll<HTMLInputElement>("[name=id]") ?? [])
      box.checked = checked;
  };
  return useHydrated() ? (
    <label className="tick">
      <input type="checkbox" onChange={tick} /> Tick all
    </label>
  ) : null;
}

export function SelectForm({ isArchive, children }: { isArchive: boolean; children: ReactNode }) {
  const buttons = isArchive ? [["unarchive", "Take out of the archive"] as const] : BUTTONS;
  return (
    <Form method="post" action="/domains/selected" className="stack">
      <TickAll />
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
  watch: "watched from the proof on",
  revoke: "now without a proof link",
  archive: "archived",
  unarchive: "back on your list",
} as const;

const Ids = ({ domains }: { domains: readonly { id: string }[] }) =>
  domains.map(({ id }) => <input key={id} type="hidden" name="id" value={id} />);

export const toList = <Link to="/domains">Domains</Link>;

type Asked = SelectionResult["selected"];
const sum = (asked: Asked, which: keyof Asked[number]["impact"]) =>
  asked.reduce((total, { impact }) => total + impact[which], 0);
const linksSentence = (asked: Asked) =>
  countSentence(sum(asked, "liveLinks"), "proof link", "will be revoked for good.");
const revoking = (asked: Asked) => ({
  isForGood: sum(asked, "liveLinks") > 0,
  consequences: [
    linksSentence(asked) || "There is no proof link to revoke.",
    "The proofs keep their dates.",
  ],
});

const Names = ({ asked }: { asked: Asked }) => (
  <span>
    {asked.map(({ domain: { id, name, unicodeName, reference } }, index) => (
      <span key={id}>
        {index > 0 ? ", " : null}
        <DomainName ascii={name} unicode={unicodeName} reference={reference} />
      </span>
    ))}
  </span>
);

export function lossSentence(asked: Asked) {
  const lost = asked.filter(({ domain }) => domain.holds);
  return lost.length > 0 ? (
    <>
      Webhooks and the API tell your programs that <Names asked={lost} /> no longer{" "}
      {lost.length === 1 ? "counts" : "count"} as proved.
    </>
  ) : null;
}

export function archiving(asked: Asked) {
  const [links, open] = [sum(asked, "liveLinks"), sum(asked, "openClaims")];
  return {
    isForGood: links + open > 0,
    consequences: [
      linksSentence(asked),
      countSentence(open, "open claim", "will be canceled: adding the record no longer counts."),
      lossSentence(asked),
      "What you archive leaves your list. You can find it under “Archived” and take it out at any time.",
      countSentence(sum(asked, "claims"), "claim", "will be kept, with the dates of proofs."),
    ],
  };
}

export function SelectedPage({ asked, selected, results }: SelectionResult) {
  const count = countText((results ?? selected).length, "domain");
  const act = asked === "archive" ? `Archive ${count}` : `Revoke the links of ${count}`;
  if (results === null)
    return (
      <Confirm
        above={<Names asked={selected} />}
        title={`${act}?`}
        {...(asked === "archive" ? archiving(selected) : revoking(selected))}
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
          Domain: ({ id, name, unicodeName, reference }) => (
            <>
              <Link to={`/domains/${id}`} className="named">
                <DomainName ascii={name} unicode={unicodeName} />
              </Link>
              <Reference reference={reference} />
            </>
          ),
          Result: ({ problem }) => capitalised(problem?.message ?? DONE_TEXTS[asked]),
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
