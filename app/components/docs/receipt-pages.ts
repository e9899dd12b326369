import type { ComponentType } from "react";
import { Assurance } from "./assurance.tsx";
import { HowToCheck } from "./how-to-check.tsx";
import { ProofRule1 } from "./proof-rule.tsx";

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
};

export const pageAt = (path = "") => (Object.hasOwn(PAGES, path) ? PAGES[path] : undefined);
