import type { findAccounts, Sort } from "#app/features/admin/accounts.server.ts";
import type { Failures } from "#app/features/admin/failures.server.ts";
import type { PartOfInstallation, Tone } from "#app/features/admin/installation.server.ts";
import { Form, Link } from "#app/remix/react.ts";
import { Button } from "#app/ui/button.tsx";
import { countText } from "#app/ui/confirm.tsx";
import { Field } from "#app/ui/field.tsx";
import { Dotted, drawMatches } from "#app/ui/name.tsx";
import { capitalised, StateWord } from "#app/ui/page.tsx";
import { Table } from "#app/ui/table.tsx";
import { LastSeen, Moment } from "#app/ui/time.tsx";

export function FailureReport({ failures, now }: { failures: Failures; now: string }) {
  const { mails, reads } = failures;
  return (
    <>
      {mails.count > 0 ? <p>{countText(mails.count, "attempt")} to send an email failed:</p> : null}
      <Table
        rows={mails.newest}
        columns={{
          "Recipient’s domain": ({ domain }) => <bdi>{domain}</bdi>,
          When: ({ at }) => <Moment at={at} now={now} form="ago" />,
          Why: ({ reason }) => reason,
        }}
      />
      <p>
        {reads.newestAt === null ? (
          "Every check got an answer from DNS."
        ) : (
          <>
            {countText(reads.count, "check")} of {countText(reads.claims, "claim")} got no answer
            from DNS, the newest <Moment at={reads.newestAt} now={now} form="ago" />. Checks are
            repeated automatically. If most fail, make sure that this machine can reach port 53.
          </>
        )}
      </p>
    </>
  );
}

const STATES = { proved: "Fine", ended: "Unknown", needs: "Action needed" };

/** The parts that are not fine, in a sentence or two. */
export function summaryOf(parts: PartOfInstallation[]): string {
  const inState = (tone: Tone) =>
    parts.filter((part) => part.tone === tone).map(({ name }) => name);
  const lists = (["needs", "ended"] as const).map((tone) => [STATES[tone], inState(tone)] as const);
  const said = lists.flatMap(([word, names]) => (names[0] ? `${word}: ${names.join(", ")}.` : []));
  return said.join(" ") || "Everything is fine.";
}

export const Installation = ({ parts }: { parts: PartOfInstallation[] }) => (
  <Table
    rows={parts}
    columns={{
      Part: ({ name, page }) => (
        <Link to={`/docs/operate/${page}`} className="whole">
          {name}
        </Link>
      ),
      State: ({ tone, text }) => (
        <>
          {tone ? <StateWord tone={tone} word={STATES[tone]} /> : null}
          {tone ? " · " : null}
          {drawMatches(text, /([\w-]{43})/, (kid) => (
            <code>{kid}</code>
          ))}
        </>
      ),
    }}
  />
);

const SORTS: Sort[] = ["newest", "address", "domains", "last seen"];
const SORT_TEXTS = Object.fromEntries(SORTS.map((each) => [each, capitalised(each)]));

type AccountTableProps = ReturnType<typeof findAccounts> & { q: string; sort: Sort; now: string };

export const AccountTable = ({ accounts, found, disabled, q, sort, now }: AccountTableProps) => (
  <>
    <Form method="get" className="line">
      <Field label="Find an account" name="q" defaultValue={q} autoComplete="off" />
      <Field label="Sort by" name="sort" options={SORT_TEXTS} defaultValue={sort} />
      <Button>Show</Button>
    </Form>
    <p className="soft small sans">
      {countText(found, "account")}, {disabled} disabled
    </p>
    <Table
      rows={accounts}
      columns={{
        Account: ({ id, email, people }) => (
          <span>
            <Link to={`/admin/accounts/${id}`}>
              <bdi>
                <Dotted name={email} />
              </bdi>
            </Link>
            {people > 1 ? <span className="soft"> and {people - 1} more</span> : null}
          </span>
        ),
        Since: ({ createdAt }) => <Moment at={createdAt} form="day" />,
        Domains: ({ names }) => names.toLocaleString("en"),
        "Last seen": ({ lastSeenAt }) => <LastSeen at={lastSeenAt} now={now} />,
        State: ({ disabledAt, limits }) => {
          const words = [disabledAt ? "Disabled" : "Active", ...limits].join(", ");
          return disabledAt ? <StateWord tone="ended" word={words} /> : words;
        },
      }}
    />
  </>
);
