import { Link } from "@remix-run/react";
import { Fragment } from "react";
import type { ListedDomain } from "#app/services/resources.ts";
import type { OpenState } from "#app/services/screens/open-state.ts";
import { DomainName } from "../ui/name.tsx";
import { StateWord, stateLabel } from "../ui/state.tsx";
import { Table } from "../ui/table.tsx";
import { Moment } from "../ui/time.tsx";

/** What to do next about a domain, in a few words. */
function nextStep({ status, archived }: ListedDomain, open: OpenState | null): string {
  if (archived) return "off the list";
  switch (status) {
    case "unclaimed":
      return "open a claim";
    case "proved":
      return "nothing: it can be shared";
    case "expired":
    case "canceled":
      return "claim it again, or leave it";
    case "pending":
      if (open === "needs_you") return "see what is wrong";
      if (open === "waiting_for_dns") return "nothing: DNS is catching up";
      return "create the record";
  }
}

/** When the domain last changed: when its claim ended or opened, or when it was added. */
const lastChange = ({ claimEndedAt, claimStartedAt, createdAt }: ListedDomain) =>
  claimEndedAt ?? claimStartedAt ?? createdAt;

/** Domains as rows: state, name, next step, last change. */
export function DomainTable({
  domains,
  states,
  now,
}: {
  domains: ListedDomain[];
  /** States of the open claims, by verification id. */
  states: Record<string, OpenState>;
  now: string;
}) {
  return (
    <Table
      className="domains"
      head={["Name", "State", "Next", "Last moved"]}
      rows={domains.map((domain) => {
        const open = states[domain.verificationId ?? ""] ?? null;
        return {
          key: domain.id,
          cells: [
            <Link
              key="name"
              to={open && domain.claimId ? `/claims/${domain.claimId}` : `/domains/${domain.id}`}
              className="named"
            >
              <DomainName ascii={domain.name} unicode={domain.unicodeName} />
            </Link>,
            <Fragment key="state">
              <StateWord {...stateLabel(domain.status, open)} />
              {domain.archived ? <span className="soft"> archived</span> : null}
            </Fragment>,
            nextStep(domain, open),
            <span key="moved" className="soft">
              <Moment at={lastChange(domain)} now={now} form="ago" />
            </span>,
          ],
        };
      })}
    />
  );
}
