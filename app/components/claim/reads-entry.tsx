import { useSearchParams } from "@remix-run/react";
import type { ClaimView } from "#app/services/screens/claim-screen.server.ts";
import { Entry } from "../ui/page.tsx";
import { Evidence } from "./evidence.tsx";
import { ReadList } from "./read-list.tsx";

/** Every check of a claim, and what each nameserver answered in one of them. */
export function ReadsEntry({
  view: { claim, reads, shown },
  allReadsUrl,
}: {
  view: ClaimView;
  /** URL of the full list of reads as JSON, for users who may see it. */
  allReadsUrl?: string;
}) {
  const isReadSelected = useSearchParams()[0].has("read");
  return (
    <Entry title="Reads" id="reads">
      {reads.count > 0 ? (
        <details open={isReadSelected}>
          <summary>
            {reads.count.toLocaleString("en")} {reads.count === 1 ? "read" : "reads"} so far, as a
            list
          </summary>
          <ReadList groups={reads.groups} shown={shown?.id ?? null} />
          {allReadsUrl && reads.groups.length < reads.count ? (
            <p className="small sans">
              <a href={allReadsUrl}>Each read by itself, as JSON</a>
            </p>
          ) : null}
        </details>
      ) : (
        <p className="soft">Nothing was read{claim.state === "pending" ? " yet" : ""}.</p>
      )}
      {shown ? <Evidence shown={shown} open={isReadSelected} /> : null}
    </Entry>
  );
}
