import type { ProofWatch } from "#app/services/resources.ts";
import { Moment } from "../ui/time.tsx";

const WHY: Partial<Record<ProofWatch["state"], string>> = {
  moved: ", and the domain’s nameservers are all others",
  gone: ", and the registry lists no nameservers for the domain",
};

/** One dated line: whether the record of the proof is still there. */
export function Watched({ watch: { state, seenAt, missingSince } }: { watch: ProofWatch }) {
  return (
    <p>
      {missingSince === null ? (
        <>
          The record was last seen on <Moment at={seenAt} />.
        </>
      ) : (
        <>
          The record has been missing since <Moment at={missingSince} />
          {WHY[state]}.
        </>
      )}
    </p>
  );
}
