import { Link } from "@remix-run/react";
import type { ListedAccount } from "#app/features/admin/accounts-list.server.ts";
import { Table } from "#app/ui/table.tsx";
import { Moment } from "#app/ui/time.tsx";

/** Accounts as the operator sees them. */
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
