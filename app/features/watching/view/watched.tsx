import { Moment } from "#app/ui/time.tsx";
import type { ProofWatch, Watch } from "../../claims/watch.ts";

const WHY: Partial<Record<Watch["state"], string>> = {
  moved: ", and all nameservers of the domain have changed",
  gone: ", and the registry lists no nameservers for the domain",
};

const UNDATED: Partial<Record<NonNullable<Watch["registration"]>, string>> = {
  not_said: "The registry does not say when the domain was registered.",
  no_rdap: "Deed cannot ask its registry (over RDAP) whether the domain was registered again.",
};

/** What the registry says about a domain; nothing before it was asked. */
export function Registration({ watch }: { watch: Omit<ProofWatch, "domain"> }) {
  const { registrationExpiresAt: endsAt, registeredAt, registryAskedAt, registration } = watch;
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
      Its registry said so on <Moment at={registryAskedAt} form="day" />.
    </>
  );
}

/** What watching has shown: the record, and the registry. `isSeenSaid`: the page already says when it was last seen. */
export function Watched({ watch, isSeenSaid }: { watch: ProofWatch; isSeenSaid: boolean }) {
  const { state, seenAt, missingSince } = watch;
  return (
    <p>
      {isSeenSaid ? null : (
        <>
          The record {missingSince === null ? "was last seen on" : "has been missing since"}{" "}
          <Moment at={missingSince ?? seenAt} />
          {WHY[state]}.{" "}
        </>
      )}
      <Registration watch={watch} />
    </p>
  );
}
