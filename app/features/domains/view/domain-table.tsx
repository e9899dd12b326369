import { Link } from "@remix-run/react";
import { Fragment } from "react";
import { stateLabel } from "#app/features/claim-page/state-label.ts";
import { DomainName, Reference } from "#app/ui/name.tsx";
import { capitalised, StateWord } from "#app/ui/page.tsx";
import { Table } from "#app/ui/table.tsx";
import { Moment } from "#app/ui/time.tsx";
import type { OpenClaim, ShownDomain } from "./open-states.server.ts";

/** `states`: the open claims, by verification id. */
type DomainTableProps = { domains: ShownDomain[]; states: Record<string, OpenClaim>; now: string };

export function DomainTable({ domains, states, now }: DomainTableProps) {
  return (
    <Table
      className="domains"
      head={["Domain", "State", "Problem", "Last change"]}
      rows={domains.map((domain) => {
        const open = states[domain.verificationId ?? ""] ?? null;
        const changedAt = domain.claimEndedAt ?? domain.claimStartedAt ?? domain.createdAt;
        return {
          key: domain.id,
          cells: [
            <Fragment key="name">
              <Link to={`/domains/${domain.id}`} className="named">
                <DomainName ascii={domain.name} unicode={domain.unicodeName} isOneLine />
              </Link>{" "}
              <Reference reference={domain.reference} />
            </Fragment>,
            <Fragment key="state">
              <StateWord {...stateLabel(domain.status, open?.state ?? null)} />
              {domain.archived ? <span className="soft"> archived</span> : null}
            </Fragment>,
            open?.cause ? capitalised(open.cause) : null,
            <span key="moved" className="soft">
              <Moment at={changedAt} now={now} form="ago" />
            </span>,
          ],
        };
      })}
    />
  );
}
