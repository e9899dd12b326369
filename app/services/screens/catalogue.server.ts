import { DIAGNOSIS_CATALOGUE, EXAMPLE_LOCATION, WAIT_CATALOGUE } from "#app/dns/copy/catalogue.ts";
import { sentencesFor } from "#app/dns/copy/sentences.ts";
import { DIAGNOSIS_CODES, type DiagnosisCode } from "#app/dns/verdict/diagnosis.ts";
import { ERRORS, type ErrorCode } from "../errors.server.ts";
import type { ExplainedDiagnosis, WaitEstimate } from "../resources.ts";

export type DiagnosisEntry = {
  code: DiagnosisCode;
  title: string;
  meaning: string;
  /** As returned by `GET /api/verifications/<id>`. */
  example: ExplainedDiagnosis;
};

/** The thirteen diagnoses, each with an example in the API's wording. */
export const diagnosisEntries = (): DiagnosisEntry[] =>
  DIAGNOSIS_CODES.map((code) => {
    const { title, meaning, example } = DIAGNOSIS_CATALOGUE[code];
    return {
      code,
      title,
      meaning,
      example: { ...example, ...sentencesFor(example, EXAMPLE_LOCATION) },
    };
  });

export type WaitEntry = { reason: WaitEstimate["reason"]; title: string; meaning: string };

export const waitEntries = (): WaitEntry[] =>
  (Object.keys(WAIT_CATALOGUE) as WaitEntry["reason"][]).map((reason) => ({
    reason,
    ...WAIT_CATALOGUE[reason],
  }));

export type ErrorEntry = { code: ErrorCode; status: number; message: string; retry: string };

const RETRY: Partial<Record<ErrorCode, string>> = {
  no_delegation: "Not until the registration or its delegation is complete.",
  unresolvable: "Yes, waiting longer each time.",
  unauthenticated: "Sign in, then retry.",
  invalid_sign_in: "Ask for a new link, then use that.",
  already_claimed: "No: use the claim held, which is `error.claim`.",
  too_many_claims: "Once one of the open claims has been canceled, proved or has expired.",
  claim_ended: "Claim the domain again.",
  verification_not_running: "Claim the domain again.",
  domain_archived: "Take the domain out of the archive, then act.",
  proof_revoked: "Ask the holder for a new link.",
  handoff_ended: "Ask whoever sent it for a new one.",
  rate_limited: "Yes, after the seconds in `Retry-After`.",
  unavailable: "Yes, after the seconds in `Retry-After`.",
  internal: "Once, a little later.",
};

/** Every error code with its status, its message, and whether a retry helps. */
export const errorEntries = (): ErrorEntry[] =>
  (Object.keys(ERRORS) as ErrorCode[]).map((code) => {
    const [status, message] = ERRORS[code];
    return { code, status, message, retry: RETRY[code] ?? "No: the same request fails again." };
  });
