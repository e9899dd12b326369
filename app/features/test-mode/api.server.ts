import { timestamp } from "@deed/dns/verdict/diagnosis.ts";
import * as z from "zod";
import { defineEndpoint } from "#app/api/endpoint.server.ts";
import { DeedError } from "#app/core/errors.server.ts";
import { object } from "#app/core/resources.ts";
import { iso, SECOND } from "#app/core/time.ts";
import type { App } from "#app/http/app.server.ts";

const MAX_SECONDS = 8 * 86_400;
const mail = { to: z.string(), subject: z.string(), text: z.string(), at: timestamp };

const testDefaults = {
  group: "Test mode",
  session: true,
  byKey: "domains:write",
  errors: ["not_found"],
} as const;

function testOf({ test }: App) {
  if (!test) throw new DeedError("not_found", { message: "This call needs a test key." });
  return test;
}

export const resetTest = defineEndpoint("POST /api/test/reset", {
  ...testDefaults,
  summary: "Reset the test key's world",
  description:
    "Erases everything that this test key created, including webhooks, and sets its clock to the real time. Call it first in a test run.",
  response: { 204: null },
  handler: async ({ app }) => testOf(app).reset(),
});

export const moveTestClock = defineEndpoint("POST /api/test/clock", {
  ...testDefaults,
  summary: "Advance the clock of test mode",
  description:
    "Between these calls, the clock of test mode stands still. Everything that falls due on the way happens at its own time: checks, expiry, notices, emails and webhook posts. The answer comes after that, or after ten seconds at most: `now` then says how far the clock got, and another call continues from there. A second call with the same key at the same time is `rate_limited`. `mails` has the newest fifty emails, newest first. Deed does not send these emails.",
  body: z.strictObject({
    seconds: z.int().min(0).max(MAX_SECONDS).describe("0 does only what is due now"),
  }),
  response: {
    200: object("TestClock", { now: timestamp, mails: z.array(object("TestMail", mail)) }),
  },
  async handler({ app, body }) {
    const test = testOf(app);
    await test.advance(body.seconds * SECOND);
    return { now: iso(app.clock()), mails: [...test.mails] };
  },
});
