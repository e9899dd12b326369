import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createReader } from "./create-reader.ts";
import { LabServer } from "./testing/lab-server.ts";
import { delegation, labZone } from "./testing/lab-zone.ts";

const PORT = 20_053;
const TOKEN = `service_v1_${"0123456789".repeat(4)}`;
const NS = { "ns1.acme.test": ["127.30.0.3"], "ns2.acme.test": ["127.30.0.4"] };
const acme = labZone("acme.test", NS, [
  { name: "_service-challenge.acme.test", type: "TXT", data: TOKEN },
]);

const servers = [
  new LabServer("127.30.0.1", [
    labZone(".", { "a.root": ["127.30.0.1"] }, delegation("test", { "ns.test": ["127.30.0.2"] })),
  ]),
  new LabServer("127.30.0.2", [
    labZone("test", { "ns.test": ["127.30.0.2"] }, delegation("acme.test", NS)),
  ]),
  new LabServer("127.30.0.3", [acme]),
  new LabServer("127.30.0.4", [acme]),
];
const reader = createReader({
  rootHints: [{ host: "a.root", addresses: ["127.30.0.1"] }],
  witnesses: [],
  allowAddresses: ["127.0.0.0/8"],
  port: PORT,
});

beforeAll(async () => {
  await Promise.all(servers.map((server) => server.listen(PORT)));
});
afterAll(() => {
  reader.close();
  for (const server of servers) server.close();
});

describe("createReader", () => {
  const never = new AbortController().signal;

  it("reads a token from both nameservers, and once more over TCP", async () => {
    const seen = await reader.readChallenge(
      { domain: "acme.test", label: "_service-challenge", token: TOKEN },
      never,
    );
    expect(seen.delegation).toEqual({
      type: "delegated",
      zone: "acme.test",
      parent: "test",
      nameservers: ["ns1.acme.test", "ns2.acme.test"],
      ttl: 3600,
    });
    expect(seen.servers.map((server) => server.answer?.values)).toEqual([[TOKEN], [TOKEN]]);
    expect(seen.confirmation?.confirmed).toBe(true);
    expect(seen.packets).toBeLessThanOrEqual(14);
  });

  it("reads a zone", async () => {
    expect(await reader.readZone("www.acme.test", never)).toMatchObject({
      type: "read",
      zone: "acme.test",
      nameservers: ["ns1.acme.test", "ns2.acme.test"],
      ttl: 3600,
      negativeTtl: 300,
    });
  });
});
