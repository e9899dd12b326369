import { timestamp } from "@deed/dns/verdict/diagnosis.ts";
import * as z from "zod";
import { defineEndpoint } from "#app/api/endpoint.server.ts";
import { DeedError, type ErrorCode } from "#app/core/errors.server.ts";
import { object } from "#app/core/resources.ts";
import { iso, SECOND } from "#app/core/time.ts";
import type { App } from "#app/http/app.server.ts";

const MOST_SECONDS = 8 * 86_400;
const mail = { to: z.string(), subject: z.string(), text: z.string(), at: timestamp };

const ofTest = {
  method: "POST",
  group: "Test mode",
  session: true,
  byKey: "domains:write",
  errors: ["not_found"] as ErrorCode[],
} as const;

function testOf({ test }: App) {
  if (!test) throw new DeedError("not_found", { message: "Only a test key has a test mode." });
  return test;
}

export const resetTest = defineEndpoint({
  ...ofTest,
  path: "/api/test/reset",
  summary: "Begin the test key's world anew",
  description:
    "Erases all that this test key made, its webhooks too, and sets its clock to the real time. Call it first in a test run.",
  response: { 204: null },
  handler: async ({ app }) => testOf(app).reset(),
});

export const moveTestClock = defineEndpoint({
  ...ofTest,
  path: "/api/test/clock",
  summary: "Move the clock of test mode on",
  description:
    "Otherwise it stands still. What falls due on the way is done at its moment: checks, ends, notices, emails and posts of webhooks. The answer comes after that, but after ten seconds at most: `now` then says how far the clock came, and another call goes on from there. A call while another with the same key moves it is `rate_limited`. `mails` has the newest fifty, newest first, which are sent to nobody.",
  body: z.strictObject({
    seconds: z.int().min(0).max(MOST_SECONDS).describe("0 does only what is due now"),
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
