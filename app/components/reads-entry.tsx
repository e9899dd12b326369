import { useSearchParams } from "@remix-run/react";
import type { ClaimView } from "#app/services/claim-screen.server.ts";
import { Evidence } from "./evidence.tsx";
import { Entry } from "./page.tsx";
import { ReadList, ReadStrip } from "./read-strip.tsx";

/** Every read of a claim: as a strip, as a list, and what each nameserver answered in one of them. */
export function ReadsEntry({ view: { claim, verification, reads, shown } }: { view: ClaimView }) {
  const wasAsked = useSearchParams()[0].has("read");
  return (
    <Entry title="Reads" id="reads">
      {claim.state === "pending" || reads.length > 0 ? (
        <ReadStrip
          reads={reads}
          from={claim.createdAt}
          until={claim.expiresAt}
          next={verification.nextRunAt}
        />
      ) : null}
      {reads.length > 0 ? (
        <details open={wasAsked}>
          <summary>
            {reads.length} {reads.length === 1 ? "read" : "reads"} so far, as a list
          </summary>
          <ReadList reads={reads} shown={shown?.id ?? null} />
        </details>
      ) : (
        <p className="soft">Nothing was read{claim.state === "pending" ? " yet" : ""}.</p>
      )}
      {shown ? <Evidence shown={shown} open={wasAsked} /> : null}
    </Entry>
  );
}
