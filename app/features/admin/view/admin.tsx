import type { ListedAccount } from "#app/features/admin/accounts.server.ts";
import type { Failures } from "#app/features/admin/failures.server.ts";
import { Link } from "#app/remix/react.ts";
import { countText } from "#app/ui/confirm.tsx";
import { Table } from "#app/ui/table.tsx";
import { LastSeen, Moment } from "#app/ui/time.tsx";

export function FailureReport({ failures, now }: { failures: Failures; now: string }) {
  const { mails, reads, isPortShut } = failures;
  return (
    <>
      <p>
        {mails.count === 0
          ? "The mail server accepted every email."
          : `${countText(mails.count, "attempt")} to send an email failed. The newest:`}
      </p>
      {mails.newest.length > 0 ? (
        <Table
          rows={mails.newest}
          columns={{
            "Recipient's domain": ({ domain }) => <bdi>{domain}</bdi>,
            When: ({ at }) => <Moment at={at} now={now} form="ago" />,
            Why: ({ reason }) => reason,
          }}
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
      rows={accounts}
      columns={{
        Account: ({ email, people }) => (
          <span>
            <bdi>{email}</bdi>
            {people > 1 ? <span className="soft"> and {people - 1} more</span> : null}
          </span>
        ),
        Since: ({ createdAt }) => <Moment at={createdAt} form="day" />,
        Domains: ({ names }) =>
          `${names.toLocaleString("en")} ${names === 1 ? "domain" : "domains"}`,
        "Last seen": ({ lastSeenAt }) => <LastSeen at={lastSeenAt} now={now} />,
        Limits: ({ limits }) => (limits.length > 0 ? limits.join(", ") : "as set for all"),
        State: ({ id, email, disabledAt }) => (
          <Link to={`/admin/accounts/${id}`}>
            {disabledAt ? "disabled, enable…" : "disable…"}
            <span className="unseen"> {email}</span>
          </Link>
        ),
      }}
    />
  );
}
