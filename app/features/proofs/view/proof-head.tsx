import type { Report } from "@deed/receipt/report.ts";
import type { ReactNode } from "react";
import { Seal } from "#app/ui/frame.tsx";
import { StateWord, type Tone } from "#app/ui/page.tsx";
import type { ProofScreen } from "../proofs.server.ts";
import { verdictOf } from "./verdict.ts";

type ProofState = { tone: Tone; word: string; says: string | null; isSealed: boolean; url: string };

/** What the check of a proof found, if that is worse than what is known of the domain since. `says`: null if nothing is wrong. */
export function proofState({ proof, trouble }: ProofScreen, report: Report | null): ProofState {
  const found = report && verdictOf(report, proof, "");
  if (found?.tone === "needs" || (found?.tone === "waiting" && trouble?.tone !== "needs"))
    return { ...found, isSealed: false, url: proof.url };
  const { tone, word, worth } = trouble ?? { tone: "proved", word: "proved", worth: null };
  return { tone, word, says: worth, isSealed: tone !== "needs", url: proof.url };
}

type ProofHeadProps = Omit<ProofState, "says"> & { isPlain?: boolean; children?: ReactNode };

/** The head of a proof: its state, and what it is worth (`children`), which has no colour if `isPlain`. */
export const ProofHead = ({ tone, word, isSealed, url, isPlain, children }: ProofHeadProps) => (
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
      <StateWord tone={tone} word={word} />
    </div>
    <p className={isPlain ? "worth" : `worth ${tone}`}>{children}</p>
  </>
);
