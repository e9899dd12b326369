import type { Failures } from "#app/features/admin/failures.server.ts";
import { countText } from "#app/ui/confirm.tsx";
import { Table } from "#app/ui/table.tsx";
import { Moment } from "#app/ui/time.tsx";

/** Mails and reads that failed in the last day. */
export function FailureReport({ failures, now }: { failures: Failures; now: string }) {
  const { mails, reads } = failures;
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
    </>
  );
}
