import { pascalCase } from "@deed/dns/verdict/diagnosis.ts";
import * as z from "zod";
import type { Endpoint } from "#app/api/endpoint.server.ts";
import { ERRORS, type ErrorCode, LIMIT_OF } from "#app/core/errors.server.ts";
import { object } from "#app/core/resources.ts";
import { ClaimDetail } from "#app/features/claims/resources.ts";
import { HandoffEnding, ReturnSite } from "#app/features/handoffs/resources.ts";

export const CODES = Object.keys(ERRORS) as ErrorCode[];

/** Returns the error codes of an endpoint: those that it names and those of its kind, in the order of ERRORS. */
export function errorsOf({ errors, session, byKey, budget, method, response }: Endpoint) {
  const codesByKind: [boolean, ...ErrorCode[]][] = [
    [true, ...errors, "invalid_request", "internal", "unavailable"],
    [session === true, "unauthenticated"],
    [byKey !== "ignored", "invalid_api_key", "insufficient_scope"],
    [Boolean(budget), "rate_limited"],
    [method !== "GET", "cross_origin", "payload_too_large", "unsupported_media_type"],
  ];
  const codes = codesByKind.flatMap(([applies, ...kindCodes]) => (applies ? kindCodes : []));
  // A status that returns a resource, such as the 503 of /api/health, never returns an error too.
  return CODES.filter((code) => codes.includes(code) && !(ERRORS[code][0] in response));
}

const message = z.string().meta({ description: "For people; may be reworded" });
const docsUrl = z.string();
const EXTRA_FIELDS: Partial<Record<ErrorCode, z.ZodRawShape>> = {
  invalid_request: {
    param: z.string().nullable().describe("The field that is wrong, if it is one field"),
  },
  already_claimed: { claim: ClaimDetail.optional().describe("The open claim") },
  ...Object.fromEntries(
    ["rate_limited", ...Object.keys(LIMIT_OF)].map((code) => [
      code,
      { budget: z.string().describe("The limit, as `GET /api/limits` names it") },
    ]),
  ),
  handoff_ended: { ended: HandoffEnding, back: ReturnSite.nullable() },
};
export const errorSchemaByCode = Object.fromEntries(
  CODES.map((code) => {
    const fields = { code: z.literal(code), message, docsUrl, ...EXTRA_FIELDS[code] };
    return [code, object(`${pascalCase(code)}Error`, fields)];
  }),
) as unknown as Record<ErrorCode, z.ZodObject>;
export const anyOf = (codes: ErrorCode[]) =>
  z.discriminatedUnion("code", codes.map((code) => errorSchemaByCode[code]) as [z.ZodObject]);
