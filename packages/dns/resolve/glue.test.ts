import { expect, it } from "vitest";
import type { Message, ResourceRecord } from "../wire/message.ts";
import { classify, MAX_KNOWN_ADDRESSES } from "./authority.ts";

const HOSTS = ["ns1.acme.test", "ns2.acme.test"];

/** A referral to acme.test with `count` addresses of each family per server. */
function referral(count: number): Message {
  const additionals = HOSTS.flatMap((name): ResourceRecord[] =>
    Array.from({ length: count }, (_, at): ResourceRecord[] => [
      { type: "AAAA", name, ttl: 9, address: `2001:db8::${at}` },
      { type: "A", name, ttl: 9, address: `192.0.2.${at}` },
    ]).flat(),
  );
  return {
    rcode: "NOERROR",
    aa: false,
    tc: false,
    ad: false,
    answers: [],
    authorities: HOSTS.map((target) => ({ type: "NS", name: "acme.test", ttl: 9, target })),
    additionals,
    extendedErrors: [],
  };
}

it.each([
  [1, 2],
  [200, MAX_KNOWN_ADDRESSES],
])("keeps of %i addresses a family %i of each server, IPv4 first", (count, kept) => {
  const verdict = classify(referral(count), "test", "acme.test");
  if (verdict.type !== "referral") throw new Error(verdict.type);
  expect([...verdict.glue.keys()]).toEqual(HOSTS);
  for (const addresses of verdict.glue.values()) {
    expect(addresses).toHaveLength(kept);
    expect(addresses[0]).toBe("192.0.2.0");
  }
});
