import { Moment } from "#app/ui/time.tsx";
import type { ProofWatch, Watch } from "../../claims/watch.ts";

const FOUND = {
  absent: "no nameserver that answered had it",
  moved: "all nameservers of the domain have changed",
  gone: "the registry lists no nameservers for the domain",
} as const;

type FindingProps = { watch: Watch; finding: keyof typeof FOUND; now: string };

export const FindingText = ({ watch, finding, now }: FindingProps) => (
  <>
    {watch.checkedAt ? (
      <>
        Checked <Moment at={watch.checkedAt} now={now} form="ago" />: {FOUND[finding]}.{" "}
      </>
    ) : null}
    {watch.state === "published" ? "If it is missing for six hours, you are notified. " : null}
  </>
);

const UNDATED: Partial<Record<NonNullable<Watch["registration"]>, string>> = {
  not_said: "The registry does not say when the domain was registered.",
  no_rdap: "Deed cannot ask its registry (over RDAP) whether the domain was registered again.",
};

/** What the registry says about a domain; nothing before it was asked. */
export function Registration({ watch }: { watch: Omit<ProofWatch, "domain"> }) {
  const { registrationExpiresAt: endsAt, registeredAt, registryAskedAt, registration } = watch;
  const isBefore = Date.parse(watch.missingSince ?? "") > Date.parse(registryAskedAt ?? "");
  if (!registryAskedAt || !(endsAt || registeredAt)) return registration && UNDATED[registration];
  return (
    <>
      {registeredAt ? (
        <>
          The domain was registered on <Moment at={registeredAt} form="day" />.{" "}
        </>
      ) : null}
      {endsAt ? (
        <>
          Its registration ends on <Moment at={endsAt} form="day" />, unless it renews
          automatically.{" "}
        </>
      ) : null}
      Its registry was asked on <Moment at={registryAskedAt} form="day" />
      {isBefore ? ", before the record went missing" : null}.
    </>
  );
}

/** What watching has shown: the record, and the registry. `isSeenSaid`: the page already says when it was last seen. */
export function WatchSummary({ watch, isSeenSaid }: { watch: ProofWatch; isSeenSaid: boolean }) {
  const { state, seenAt, missingSince } = watch;
  return (
    <p>
      {isSeenSaid ? null : (
        <>
          The record {missingSince === null ? "was last seen on" : "has been missing since"}{" "}
          <Moment at={missingSince ?? seenAt} />
          {state === "moved" || state === "gone" ? `, and ${FOUND[state]}` : null}.{" "}
        </>
      )}
      <Registration watch={watch} />
    </p>
  );
}
