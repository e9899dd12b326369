import { Link } from "@remix-run/react";
import { Fragment } from "react";
import { stateLabel } from "#app/features/claims/view/state-label.ts";
import { DomainName, Reference } from "#app/ui/name.tsx";
import { StateWord } from "#app/ui/page.tsx";
import { Table } from "#app/ui/table.tsx";
import { Moment } from "#app/ui/time.tsx";
import type { OpenClaim, ShownDomain } from "./open-states.server.ts";

function nextStep({ status, archived }: ShownDomain, open: OpenClaim | null): string {
  if (archived) return "off the list";
  switch (status) {
    case "unclaimed":
      return "prove it";
    case "proved":
      return "nothing to do";
    case "expired":
    case "canceled":
      return "start again, or leave it";
    case "pending":
      if (open?.state === "needs_you") return open.cause ?? "see what is wrong";
      return open?.state === "waiting_for_dns" ? "nothing to do" : "add the record";
  }
}

/** `states`: the open claims, by verification id. */
type DomainTableProps = { domains: ShownDomain[]; states: Record<string, OpenClaim>; now: string };

export function DomainTable({ domains, states, now }: DomainTableProps) {
  return (
    <Table
      className="domains"
      head={["Domain", "State", "Next", "Last proof", "Last change"]}
      rows={domains.map((domain) => {
        const open = states[domain.verificationId ?? ""] ?? null;
        const { lastProvedAt, claimEndedAt, claimStartedAt, createdAt } = domain;
        const changedAt = claimEndedAt ?? claimStartedAt ?? createdAt;
        return {
          key: domain.id,
          cells: [
            <Fragment key="name">
              <Link to={`/domains/${domain.id}`} className="named">
                <DomainName ascii={domain.name} unicode={domain.unicodeName} />
              </Link>{" "}
              <Reference reference={domain.reference} />
            </Fragment>,
            <Fragment key="state">
              <StateWord {...stateLabel(domain.status, open?.state ?? null)} />
              {domain.archived ? <span className="soft"> archived</span> : null}
            </Fragment>,
            nextStep(domain, open),
            lastProvedAt ? (
              <Moment key="proof" at={lastProvedAt} form="day" />
            ) : (
              <span key="none" className="soft">
                none
              </span>
            ),
            <span key="moved" className="soft">
              <Moment at={changedAt} now={now} form="ago" />
            </span>,
          ],
        };
      })}
    />
  );
}
