import type { ClaimLife } from "#app/services/screens/claim-phases.ts";
import type { ClaimView } from "#app/services/screens/claim-screen.server.ts";
import { PhaseBar } from "./phase-bar.tsx";
import { RecordPathPicture } from "./record-path.tsx";

const HEADINGS: Partial<Record<ClaimLife["end"]["says"], string>> = {
  closes: "Where the record is",
  found: "What the check that proved it saw",
};

/** Where a claim's record is now, and what checks have seen of it since the claim opened. */
export function PathSection({ view: { path, life } }: { view: Pick<ClaimView, "path" | "life"> }) {
  return (
    <section className="path-section" id="path">
      <h2>{HEADINGS[life.end.says] ?? "What the last check saw"}</h2>
      <RecordPathPicture path={path} />
      <PhaseBar life={life} />
    </section>
  );
}
