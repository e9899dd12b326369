import type { Registration } from "@deed/dns/rdap/answer.ts";
import type { Db } from "#db/client.ts";
import { registrations } from "#db/schema.ts";
import { MISTAKES, type Observe } from "./observations.ts";
import { DAY, HOUR } from "./simulation.ts";

const lame = MISTAKES.lame_delegation({ provider: "other" });

/** A name that its registry does not delegate. */
export const undelegated: Observe = (question, at) => ({
  ...lame(question, at),
  servers: [],
  delegation: { type: "none", parent: "example", rcode: "NXDOMAIN" },
});

/** The registry's answer that the registrar has put a name on hold. */
export function registerHeld(db: Db, name: string, now: number): void {
  const registration: Registration = {
    statuses: ["client hold", "client transfer prohibited"],
    expiresAt: now + 100 * DAY,
    nameservers: ["ns1.hosting.example", "ns2.hosting.example"],
    delegationSigned: false,
  };
  const answer = { answeredAt: now, registration: JSON.stringify(registration) };
  db.insert(registrations)
    .values({ name, askedAt: now, nextAt: now + HOUR, ...answer })
    .run();
}
