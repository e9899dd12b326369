import type { Report } from "@deed/receipt/report.ts";
import { Button } from "#app/ui/button.tsx";
import { Problem } from "#app/ui/page.tsx";
import { renderDrawn } from "../../receipts/view/report-view.tsx";
import type { ProofScreen } from "../proofs.server.ts";
import type { PublishedProof } from "../resources.ts";
import { ProofHead } from "./proof-head.tsx";
import { minuteText, verdictOf } from "./verdict.ts";

const byServer = (at: string) =>
  `The server of this site checked it, not your browser. Checked at ${minuteText(at)}.`;

/** `report`: of a check that was asked for, or that found more than the page would say. */
export type VerdictProps = {
  screen: ProofScreen;
  report: Report | null;
  problem?: string | undefined;
};

/** The verdict of a check, which has its own address for browsers that cache pages by address. */
export const ProofVerdict = ({ screen: { proof, renderedAt }, report, problem }: VerdictProps) => (
  <div id="verdict" role="status" data-verdict>
    {report ? renderDrawn(verdictOf(report, proof, byServer(renderedAt)).drawn, 0) : null}
    <Problem message={problem} />
  </div>
);

/** `script`: the file built from proof-script.ts, null if this build lacks it. */
export type CheckTools = Record<"script" | "labAnchors", string | null>;
/** `isDoubted`: whether the proof is worth less today than on its date; `isChecked`: whether its verdict is shown. */
type ProofCheckProps = CheckTools &
  Record<"isDoubted" | "isChecked", boolean> & { proof: PublishedProof };

export function ProofCheck({ proof, isDoubted, isChecked, script, labAnchors }: ProofCheckProps) {
  const { slug, url, domain, provedAt } = proof;
  return (
    <>
      <form
        method="post"
        action={`/p/${slug}?checked#verdict`}
        data-receipt={`/api/proofs/${slug}/receipt`}
        data-url={url}
        data-domain={domain}
        data-proved-at={provedAt}
        data-anchors={labAnchors ?? undefined}
      >
        <Button kind={isDoubted || isChecked ? "plain" : "primary"}>
          {isChecked ? "Check again" : "Check this proof"}
        </Button>
      </form>
      {script ? (
        <>
          {/* For the script; a weaker proof is not worse than one in trouble. */}
          {(["needs", "waiting"] as const).slice(0, isDoubted ? 1 : 2).map((tone) => (
            <template key={tone} className={tone}>
              <ProofHead tone={tone} word="" says={null} url={url} isSealed={false} />
            </template>
          ))}
          <script type="module" src={script} />
        </>
      ) : null}
    </>
  );
}
