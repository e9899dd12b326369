import { stateLabel } from "#app/features/claim-page/state-label.ts";
import { Link } from "#app/remix/react.ts";
import { DomainName, Reference } from "#app/ui/name.tsx";
import { capitalised, StateWord } from "#app/ui/page.tsx";
import { Table } from "#app/ui/table.tsx";
import { Moment } from "#app/ui/time.tsx";
import type { ClaimNow, ShownDomain } from "./open-states.server.ts";

/** `states`: their claims, by verification id. */
type DomainTableProps = { domains: ShownDomain[]; states: Record<string, ClaimNow>; now: string };

export function DomainTable({ domains, states, now }: DomainTableProps) {
  const openOf = ({ verificationId }: ShownDomain) => states[verificationId ?? ""];
  return (
    <Table
      className="domains"
      rows={domains}
      columns={{
        Domain: ({ id, name, unicodeName, reference }) => (
          <>
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
        Problem: (domain) => capitalised(openOf(domain)?.cause ?? ""),
        "Last change": ({ claimEndedAt, claimStartedAt, createdAt }) => (
          <span className="soft">
            <Moment at={claimEndedAt ?? claimStartedAt ?? createdAt} now={now} form="ago" />
          </span>
        ),
      }}
    />
  );
}
