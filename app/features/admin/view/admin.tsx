import { Link } from "@remix-run/react";
import type { ListedAccount } from "#app/features/admin/accounts.server.ts";
import type { Failures } from "#app/features/admin/failures.server.ts";
import { countText } from "#app/ui/confirm.tsx";
import { Table } from "#app/ui/table.tsx";
import { Moment } from "#app/ui/time.tsx";

export function FailureReport({ failures, now }: { failures: Failures; now: string }) {
  const { mails, reads, isPortShut } = failures;
  return (
    <>
      <p>
        {mails.count === 0
          ? "The mail server accepted every mail."
          : `${countText(mails.count, "attempt")} to send a mail failed. The newest:`}
      </p>
      {mails.newest.length > 0 ? (
        <Table
          head={["Recipient's domain", "When", "Why"]}
          rows={mails.newest.map(({ id, at, domain, reason }) => ({
            key: id,
            cells: [
              <bdi key="domain">{domain}</bdi>,
              <Moment key="when" at={at} now={now} form="ago" />,
              reason,
            ],
          }))}
        />
      ) : null}
      <p>
        {reads.newestAt === null ? (
          "Every check reached DNS."
        ) : (
          <>
            {countText(reads.count, "check")} of {countText(reads.claims, "claim")} could not reach
            DNS, the newest <Moment at={reads.newestAt} now={now} form="ago" />. Checks are repeated
            automatically. If most fail, make sure that this machine can reach port 53.
          </>
        )}
      </p>
      {isPortShut ? (
        <p>
          Nothing answers this machine on port 53. Open that port outward, over UDP and TCP: until
          then, only domains with DNSSEC can be proved.
        </p>
      ) : null}
    </>
  );
}

export function AccountTable({ accounts, now }: { accounts: ListedAccount[]; now: string }) {
  return (
    <Table
      head={["Account", "Since", "Domains", "Last seen", "State"]}
      rows={accounts.map(({ id, email, people, names, createdAt, lastSeenAt, disabledAt }) => ({
        key: id,
        cells: [
          <span key="account">
            <bdi>{email}</bdi>
            {people > 1 ? <span className="soft"> and {people - 1} more</span> : null}
          </span>,
          <Moment key="since" at={createdAt} form="day" />,
          `${names.toLocaleString("en")} ${names === 1 ? "domain" : "domains"}`,
          lastSeenAt ? <Moment key="seen" at={lastSeenAt} now={now} form="ago" /> : "not seen yet",
          <Link key="state" to={`/admin/accounts/${id}`}>
            {disabledAt ? "disabled, enable…" : "disable…"}
            <span className="unseen"> {email}</span>
          </Link>,
        ],
      }))}
    />
  );
}
