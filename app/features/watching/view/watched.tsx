import { Moment } from "#app/ui/time.tsx";
import type { ProofWatch, Watch } from "../../claims/watch.ts";

const WHY: Partial<Record<Watch["state"], string>> = {
  moved: ", and all nameservers of the domain have changed",
  gone: ", and the registry lists no nameservers for the domain",
};

const UNDATED: Partial<Record<NonNullable<Watch["registration"]>, string>> = {
  not_said: "When the domain was registered is not known: its registry does not say.",
  no_rdap: "Deed cannot ask its registry (over RDAP) whether the domain was registered again.",
};

/** What watching has shown, of the record and at the registry. `isSeenSaid`: when it was last seen is said already. */
export function Watched({ watch, isSeenSaid }: { watch: ProofWatch; isSeenSaid: boolean }) {
  const { state, seenAt, missingSince, registration, registeredAt, registryAskedAt } = watch;
  const endsAt = watch.registrationExpiresAt;
  return (
    <p>
      {isSeenSaid ? null : (
        <>
          The record {missingSince === null ? "was last seen on" : "has been missing since"}{" "}
          <Moment at={missingSince ?? seenAt} />
          {WHY[state]}.{" "}
        </>
      )}
      {registeredAt && registryAskedAt ? (
        <>
          According to the registry (<Moment at={registryAskedAt} form="day" />
          ), the domain was registered on <Moment at={registeredAt} form="day" />
          {endsAt ? (
            <>
              {" "}
              and its registration ends on <Moment at={endsAt} form="day" />, unless it renews by
              itself
            </>
          ) : null}
          .
        </>
      ) : (
        registration && UNDATED[registration]
      )}
    </p>
  );
}
