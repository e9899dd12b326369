import type { Report } from "@deed/receipt/report.ts";
import { Seal } from "#app/ui/frame.tsx";
import { StateWord, type Tone } from "#app/ui/page.tsx";
import type { ProofScreen } from "../proofs.server.ts";
import { verdictOf } from "./verdict.ts";

type ProofState = { tone: Tone; word: string; says: string | null; isSealed: boolean; url: string };

/** What the check of a proof found, if that is worse than what is known of the domain since. `says`: what is wrong; null if the check says it, or if nothing is. */
export function proofState({ proof, trouble }: ProofScreen, report: Report | null): ProofState {
  const found = report && verdictOf(report, proof, "");
  if (found?.tone === "needs" || (found?.tone === "waiting" && trouble?.tone !== "needs"))
    return { ...found, says: null, isSealed: false, url: proof.url };
  const { tone, word, worth } = trouble ?? { tone: "proved", word: "proved", worth: null };
  return { tone, word, says: worth, isSealed: tone !== "needs", url: proof.url };
}

/** The head of a proof: its state, and what is wrong. Nothing here waits, so no state has a clock. */
export const ProofHead = ({ tone, word, says, isSealed, url }: ProofState) => (
  <>
    <div className="kicker">
      <span className="row">
        <span className={isSealed ? "proved" : "ended"}>
          <Seal isBroken={!isSealed} />
        </span>{" "}
        <span>
          Proof of control, issued by <bdi className="address">{new URL(url).host}</bdi>
        </span>
      </span>{" "}
      <StateWord tone={tone} word={word} mark={tone === "waiting" ? "needs" : tone} />
    </div>
    {says ? <p className={`worth ${tone}`}>{says}</p> : null}
  </>
);
