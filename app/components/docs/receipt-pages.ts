import type { ComponentType } from "react";
import { Assurance } from "./assurance.tsx";
import { HowToCheck } from "./how-to-check.tsx";
import { ProofRule1, ProofRule2 } from "./proof-rule.tsx";
import { SeveralVantages } from "./vantages.tsx";

/** The pages about receipts, by their path below /docs. */
const PAGES: Partial<
  Record<string, { title: string; lead: string; Text: ComponentType<{ thumbprint: string }> }>
> = {
  "how-to-check": {
    title: "How to check this",
    lead: "You were handed a receipt: a small file which says that somebody controlled a domain at a certain moment. You can check it without asking anybody.",
    Text: HowToCheck,
  },
  assurance: {
    title: "What a proof rests on",
    lead: "Each receipt has one of three words for how much of it you must believe the installation that signed it.",
    Text: Assurance,
  },
  "rules/deed-proof-1": {
    title: "The rule deed-proof/1",
    lead: "What one read of DNS must find before an installation makes a proof. This page never changes.",
    Text: ProofRule1,
  },
  "rules/deed-proof-2": {
    title: "The rule deed-proof/2",
    lead: "What two reads of DNS from different regions must find before an installation makes a proof. This page never changes.",
    Text: ProofRule2,
  },
  vantages: {
    title: "Several vantages",
    lead: "An installation of several machines can read DNS from several regions, so that one misled network proves nothing.",
    Text: SeveralVantages,
  },
};

export const pageAt = (path = "") => (Object.hasOwn(PAGES, path) ? PAGES[path] : undefined);
