import { expect, it } from "vitest";
import { openRead } from "../testing/one-world.ts";
import type { Message, ResourceRecord } from "../wire/message.ts";
import { addressesIn, classify, listCandidates, MAX_KNOWN_ADDRESSES } from "./authority.ts";
import { MAX_REFERRALS } from "./read.ts";

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
    ra: false,
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
  const { glue = new Map() } = classify(referral(count), "test", "acme.test").referral ?? {};
  expect([...glue.keys()]).toEqual(HOSTS);
  for (const addresses of glue.values()) {
    expect(addresses).toHaveLength(kept);
    expect(addresses[0]).toBe("192.0.2.0");
  }
});

it("takes of an answer the addresses of the host and the family asked for", () => {
  const { additionals: answers, ...message } = referral(1);
  const given = addressesIn({ ...message, answers, additionals: [] }, "ns1.acme.test", "A");
  expect(given).toEqual(["192.0.2.0"]);
});

const ADDRESSES = ["192.0.2.1", "192.0.2.2", "192.0.2.3"];

const opened = () => openRead({ allowAddresses: ["192.0.2.0/24"] }, () => false);

it("settles no more cuts than a read may follow referrals", () => {
  const { read } = opened();
  const settled = Array.from({ length: MAX_REFERRALS + 1 }, (_, at) => {
    const cut = { zone: `z${at}.test`, parent: "test", nameservers: ["ns1.acme.test"], ttl: 9 };
    return read.replaceCut({ cut, glue: new Map() });
  });
  expect(settled).toEqual([...Array(MAX_REFERRALS).fill(true), false]);
  expect(read.limit).toBe("referrals");
});

it("the servers of a zone that have room are asked before the full ones", () => {
  const { network, read } = opened();
  const ending = new AbortController();
  const hosts = ADDRESSES.map((address, at) => {
    read.glue.set(`${at}.registry.test`, [address]);
    return `${at}.registry.test`;
  });
  const asked = () => listCandidates(read, hosts).map(({ address }) => address);
  expect(asked()).toEqual(ADDRESSES);
  for (let each = 0; each < 40; each++)
    void network.pacer.enter("192.0.2.1", true, 10_000, ending.signal);
  expect(asked()).toEqual(["192.0.2.2", "192.0.2.3", "192.0.2.1"]);
  ending.abort();
});
