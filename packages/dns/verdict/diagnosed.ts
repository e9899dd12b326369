import type { Awaits, DiagnosisCode, DiagnosisOf, ObservedByCode } from "./diagnosis.ts";

/** Apart from the schemas, which a bundle for a browser or a worker does without. */
export const diagnosed = <C extends DiagnosisCode>(
  code: C,
  observed: ObservedByCode[C],
  awaits: Awaits = "claimant",
): DiagnosisOf<C> => ({ code, awaits, observed });
