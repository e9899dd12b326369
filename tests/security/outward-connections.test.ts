import { createSocket } from "node:dgram";
import dns from "node:dns";
import { createServer } from "node:http";
import { Socket } from "node:net";
import { decode, encode } from "dns-packet";
import { afterAll, expect, it, vi } from "vitest";
import { OutboundError } from "#app/core/outbound/failures.ts";
import { createOutbound } from "#app/core/outbound/outbound.server.ts";
import { listening } from "../support/service.ts";

/** A resolver on loopback: its answer for each name. */
const zone = new Map<string, string[]>();
/** Where a name leads once it has been looked up. */
const moving = new Map<string, string[]>();
const resolver = createSocket("udp4", (message, from) => {
  const query = decode(message);
  const [question] = query.questions ?? [];
  if (!question) return;
  const answers = (zone.get(question.name) ?? [])
    .filter((address) => address.includes(":") === (question.type === "AAAA"))
    .map((data) => ({ name: question.name, type: question.type as "A", ttl: 60, data }));
  const answer = encode({ type: "response", id: query.id ?? 0, questions: [question], answers });
  resolver.send(answer, from.port, from.address);
  const next = moving.get(question.name);
  if (next && question.type === "A") zone.set(question.name, next);
});
/** Speaks plain http, so a call by https fails. */
const receiver = createServer();
let reached = 0;
receiver.on("connection", () => {
  reached += 1;
});
const resolvers = dns.getServers();
await new Promise<void>((resolve) => resolver.bind(0, "127.0.0.1", resolve));
dns.setServers([`127.0.0.1:${resolver.address().port}`]);
const { port } = new URL(await listening(receiver));
afterAll(() => {
  dns.setServers(resolvers);
  resolver.close();
  receiver.close();
});

const reasonOf = (call: Promise<unknown>) =>
  call.then(
    () => "answered",
    (error) => (error instanceof OutboundError ? error.reason : String(error)),
  );

// packages/dns/wire/address.test.ts has every block of the registries.
it("a name at forbidden addresses and one that is allowed gets a connection to that alone", async () => {
  const outbound = createOutbound({ allowed: ["127.0.0.1/32"], denied: [] });
  zone.set("mixed.hooks.test", ["10.0.0.1", "127.0.0.2", "169.254.169.254", "127.0.0.1", "::1"]);
  const url = `https://mixed.hooks.test:${port}/`;
  const connect = vi.spyOn(Socket.prototype, "connect");
  reached = 0;
  expect(await reasonOf(outbound.call({ method: "GET", url }))).toBe("tls");
  expect([reached, connect.mock.calls.length]).toEqual([1, 1]);
  zone.set("mixed.hooks.test", ["10.0.0.1", "169.254.169.254", "::1"]);
  expect(await reasonOf(outbound.call({ method: "GET", url }))).toBe("forbidden_address");
  expect([reached, connect.mock.calls.length]).toEqual([1, 1]);
});

it("a name that is at another address a moment later is connected to as it was checked", async () => {
  const outbound = createOutbound({ allowed: ["127.0.0.1/32"], denied: [] });
  zone.set("rebinding.hooks.test", ["127.0.0.1"]);
  const url = `https://rebinding.hooks.test:${port}/`;
  moving.set("rebinding.hooks.test", ["127.0.0.2"]);
  expect(await reasonOf(outbound.call({ method: "GET", url }))).toBe("tls");
  expect(await reasonOf(outbound.call({ method: "GET", url }))).toBe("forbidden_address");
});
