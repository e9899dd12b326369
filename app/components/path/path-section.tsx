import type { ClaimView } from "#app/services/screens/claim-screen.server.ts";
import { PhaseBar } from "./phase-bar.tsx";
import { RecordPathPicture } from "./record-path.tsx";

/** Where a claim's record is now, and what checks have seen of it since the claim opened. */
export function PathSection({ view: { path, life } }: { view: Pick<ClaimView, "path" | "life"> }) {
  const isOpen = life.end.says === "closes";
  return (
    <section className="path-section" id="path">
      <h2>{isOpen ? "Where the record is" : "What the last check saw"}</h2>
      <RecordPathPicture path={path} />
      <PhaseBar life={life} />
    </section>
  );
}
