import { useSearchParams } from "@remix-run/react";
import { Fold } from "#app/ui/fold.tsx";
import type { ClaimView } from "./claim-screen.server.ts";
import { Evidence } from "./evidence.tsx";
import { ReadList } from "./read-list.tsx";

/** Every check of a claim, and what each nameserver answered in one of them. */
export function HistoryFold({
  view: { claim, reads, shown },
  allReadsUrl,
}: {
  view: ClaimView;
  /** URL of the full list of checks as JSON, for users who may see it. */
  allReadsUrl?: string;
}) {
  const isReadSelected = useSearchParams()[0].has("read");
  const count = `${reads.count.toLocaleString("en")} ${reads.count === 1 ? "check" : "checks"}`;
  return (
    <Fold title={`History: ${count}`} id="reads" open={isReadSelected}>
      {reads.count > 0 ? (
        <ReadList groups={reads.groups} shown={shown?.id ?? null} />
      ) : (
        <p>Nothing was checked{claim.state === "pending" ? " yet" : ""}.</p>
      )}
      {allReadsUrl && reads.groups.length < reads.count ? (
        <p className="small sans">
          <a href={allReadsUrl}>Each check on its own, as JSON</a>
        </p>
      ) : null}
      {shown ? <Evidence shown={shown} open={isReadSelected} /> : null}
    </Fold>
  );
}
