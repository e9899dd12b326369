import type { Failures } from "#app/services/admin/failures.server.ts";
import { countText } from "../ui/confirm.tsx";
import { Table } from "../ui/table.tsx";
import { Moment } from "../ui/time.tsx";

/** Mails and reads that failed in the last day. */
export function FailureReport({ failures, now }: { failures: Failures; now: string }) {
  const { mails, reads } = failures;
  return (
    <>
      <p>
        {mails.count === 0
          ? "Every mail was taken by the mail server."
          : `${countText(mails.count, "try", "tries")} to send a mail failed. The newest:`}
      </p>
      {mails.newest.length > 0 ? (
        <Table
          head={["Recipient at", "When", "Why"]}
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
          "Every read reached DNS."
        ) : (
          <>
            {countText(reads.count, "read")} of {countText(reads.claims, "claim")} could not reach
            DNS, the newest <Moment at={reads.newestAt} now={now} form="ago" />. Reads are made
            again by themselves; if most fail, look at the machine's way out to port 53.
          </>
        )}
      </p>
    </>
  );
}
