import * as z from "zod";
import { defineEndpoint, reply } from "#app/api/endpoint.server.ts";
import { Id } from "#app/api/inputs.ts";
import { Attempt, Verification } from "#app/core/resources.ts";
import { consumeBudgets } from "#app/http/limits.server.ts";
import { listAttempts, readVerification, runVerification } from "./verifications.server.ts";

const group = "Verifications";
const params = z.strictObject({ id: Id });

export const showVerification = defineEndpoint({
  method: "GET",
  path: "/api/verifications/:id",
  group,
  summary: "Read a verification",
  description:
    "While it is not proved, exactly one of `diagnosis` (something about the record is wrong) and `waitEstimate` (nothing is, DNS has not caught up) is present.",
  session: true,
  byKey: "domains:read",
  params,
  response: { 200: Verification },
  errors: ["verification_not_found"],
  handler: async ({ app, caller, params }) =>
    reply(200, await readVerification(app, caller.accountId, params.id)),
});

export const run = defineEndpoint({
  method: "POST",
  path: "/api/verifications/:id/runs",
  group,
  summary: "Check DNS now",
  description:
    "Answers once DNS was read, with the proof or the named reason the record is missing. Two runs at once share one read and one draw on the budget. Where the claim ends meanwhile without a proof the answer is 409 `verification_not_running`.",
  session: true,
  byKey: "domains:write",
  params,
  response: { 200: Verification },
  errors: ["verification_not_found", "verification_not_running", "rate_limited"],
  async handler({ app, caller, params, connection }) {
    const { accountId } = caller;
    const draw = () => consumeBudgets(app, { runsVerification: params.id, runsAccount: accountId });
    return reply(200, await runVerification(app, accountId, params.id, connection.closed, draw));
  },
});

export const browseAttempts = defineEndpoint({
  method: "GET",
  path: "/api/verifications/:id/attempts",
  group,
  summary: "List the checks of a verification, newest first",
  session: true,
  byKey: "domains:read",
  params,
  response: { 200: z.strictObject({ attempts: z.array(Attempt) }) },
  errors: ["verification_not_found"],
  handler: async ({ app, caller, params }) =>
    reply(200, { attempts: await listAttempts(app, caller.accountId, params.id) }),
});

export const verificationEndpoints = [showVerification, run, browseAttempts];
