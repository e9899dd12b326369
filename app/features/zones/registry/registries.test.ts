import { readFileSync, utimesSync, writeFileSync } from "node:fs";
import { serverFor } from "@deed/dns/rdap/bootstrap.ts";
import { beforeEach, expect, it } from "vitest";
import type { Outbound, OutboundRequest } from "#app/core/outbound/outbound.server.ts";
import { DAY, HOUR } from "#app/core/time.ts";
import { eachFolder } from "#db/testing.files.ts";
import { cachedList, shippedRegistries } from "./registries.server.ts";

const { signal } = new AbortController();
const list = (url: string) => {
  const suffixes = Array.from({ length: 600 }, (_, n) => `t${n}`);
  return JSON.stringify({ version: "1.0", services: [[["com", ...suffixes], [url]]] });
};

const folder = eachFolder();
const path = () => folder("rdap-dns.json");
let requests: OutboundRequest[];
let problems: string[];
let reply: { status: number; text: string };
let outbound: Outbound;
beforeEach(() => {
  requests = [];
  problems = [];
  reply = { status: 200, text: list("https://new.example/") };
  outbound = {
    problem: () => null,
    call: async (request) => {
      requests.push(request);
      return { status: reply.status, headers: {}, body: Buffer.from(reply.text) };
    },
  };
});

const kept = () => cachedList(path(), outbound, (problem) => void problems.push(problem));

it("ships a list that knows the large registries, over https only", () => {
  const list = shippedRegistries();
  expect(list.size).toBeGreaterThan(1_000);
  expect(serverFor(list, "acme.com")).toBe("https://rdap.verisign.com/com/v1/");
  expect(serverFor(list, "acme.org")).toBe("https://rdap.publicinterestregistry.org/rdap/");
  expect(serverFor(list, "acme.co.uk")).toBe("https://rdap.nominet.uk/uk/");
  for (const url of list.values()) expect(url).toMatch(/^https:\/\/[^?#]+\/$/);
});

it("begins with the list that comes with Deed, and keeps a new one for the next start", async () => {
  const first = kept();
  expect(first.current().get("com")).toBe("https://rdap.verisign.com/com/v1/");
  await first.renew(Date.now(), signal);
  expect(requests).toEqual([
    { method: "GET", url: "https://data.iana.org/rdap/dns.json", maxBytes: 1_048_576 },
  ]);
  expect(first.current().get("com")).toBe("https://new.example/");
  const second = kept();
  expect(second.current().get("com")).toBe("https://new.example/");
  await second.renew(Date.now() + 6 * DAY, signal);
  expect(requests).toHaveLength(1);
  await second.renew(Date.now() + 8 * DAY, signal);
  expect([requests.length, problems]).toEqual([2, []]);
});

it.each([
  ["status 500", 500, list("https://new.example/")],
  ["half a list", 200, list("https://new.example/").slice(0, 2_000)],
])("keeps the old one after %s, and tries again six hours later", async (_, status, text) => {
  const old = list("https://old.example/");
  writeFileSync(path(), old);
  const long = Date.now() / 1_000 - 30 * 86_400;
  utimesSync(path(), long, long);
  reply = { status, text };
  const mine = kept();
  const now = Date.now();
  await mine.renew(now, signal);
  await mine.renew(now + 6 * HOUR - 1, signal);
  expect([requests.length, problems.length]).toEqual([1, 1]);
  expect(mine.current().get("com")).toBe("https://old.example/");
  expect(readFileSync(path(), "utf8")).toBe(old);
  await mine.renew(now + 6 * HOUR, signal);
  expect(requests).toHaveLength(2);
});

it("takes the list that comes with Deed over a file that is none", () => {
  writeFileSync(path(), "half");
  expect(kept().current().size).toBeGreaterThan(1_000);
});
