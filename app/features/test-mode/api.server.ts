import { timestamp } from "@deed/dns/verdict/diagnosis.ts";
import * as z from "zod";
import { defineEndpoint, reply } from "#app/api/endpoint.server.ts";
import { DeedError } from "#app/core/errors.server.ts";
import { object } from "#app/core/resources.ts";
import { iso, SECOND } from "#app/core/time.ts";

const MOST_SECONDS = 8 * 86_400;
const mail = { to: z.string(), subject: z.string(), text: z.string(), at: timestamp };

export const moveTestClock = defineEndpoint({
  method: "POST",
  path: "/api/test/clock",
  group: "Test mode",
  session: true,
  byKey: "domains:write",
  summary: "Move the clock of test mode on",
  description:
    "Otherwise it stands still. What falls due on the way is done at its moment: checks, ends, notices, mails and posts of webhooks. The answer comes after that, but after ten seconds at most: `now` then says how far the clock came, and another call goes on from there. A call while another of the account moves it is `rate_limited`. `mails` has the newest fifty, newest first, which are sent to nobody.",
  body: z.strictObject({
    seconds: z.int().min(0).max(MOST_SECONDS).describe("0 does only what is due now"),
  }),
  response: {
    200: object("TestClock", { now: timestamp, mails: z.array(object("TestMail", mail)) }),
  },
  errors: ["not_found"],
  async handler({ app: { test, clock }, body }) {
    if (!test) throw new DeedError("not_found", { message: "Only a test key has a test mode." });
    await test.advance(body.seconds * SECOND);
    return reply(200, { now: iso(clock()), mails: [...test.mails] });
  },
});
