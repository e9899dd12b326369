import { stateLabel } from "#app/features/claim-page/state-label.ts";
import { Link } from "#app/remix/react.ts";
import { DomainName, Reference } from "#app/ui/name.tsx";
import { capitalised, StateWord } from "#app/ui/page.tsx";
import { Table } from "#app/ui/table.tsx";
import { Moment } from "#app/ui/time.tsx";
import type { ClaimNow, ShownDomain } from "./open-states.server.ts";

/** `states`: their claims, by verification id; `checks`: when each domain was last checked. */
type DomainTableProps = {
  domains: ShownDomain[];
  states: Record<string, ClaimNow>;
  checks: Record<string, string | null>;
  now: string;
};

/** Of a form that acts on the rows that are ticked. */
export function DomainTable({ domains, states, checks, now }: DomainTableProps) {
  const openOf = ({ verificationId }: ShownDomain) => states[verificationId ?? ""];
  return (
    <Table
      className="domains"
      rows={domains}
      columns={{
        Domain: ({ id, name, unicodeName, reference }) => (
          <>
            <input type="checkbox" name="id" value={id} aria-label={unicodeName} />{" "}
            <Link to={`/domains/${id}`} className="named">
              <DomainName ascii={name} unicode={unicodeName} isOneLine />
            </Link>{" "}
            <Reference reference={reference} />
          </>
        ),
        State: (domain) => (
          <>
            <StateWord
              {...stateLabel(domain.status, openOf(domain)?.state ?? null, openOf(domain)?.trouble)}
            />
            {domain.archived ? <span className="soft"> archived</span> : null}
          </>
        ),
        ...(domains.some((domain) => openOf(domain)?.cause) && {
          Problem: (domain: ShownDomain) => capitalised(openOf(domain)?.cause ?? ""),
        }),
        "Last checked": ({ id }) => (
          <span className="soft small">
            {checks[id] ? <Moment at={checks[id]} now={now} form="ago" /> : "never"}
          </span>
        ),
      }}
    />
  );
}
