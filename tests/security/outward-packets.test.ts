import { delegation, type LabRecord, labZone } from "@deed/dns/testing/lab-zone.ts";
import { LABEL, netOf, TOKEN, World } from "@deed/dns/testing/world.ts";
import { expect, it, onTestFinished } from "vitest";
import { specialAddresses } from "../data/index.ts";
import { tapWire } from "./wire.ts";

const NET = netOf(4_050);
const PORT = 10_000 + (process.pid % 10_000);
const never = new AbortController().signal;

it("nameservers at special-purpose addresses receive no packet, as glue, as a name elsewhere, or next to a good server", async () => {
  const blocks = specialAddresses();
  expect(blocks).toHaveLength(48);
  const elsewhere: LabRecord[] = [];
  const zones = blocks.flatMap((addresses, row) => {
    const hosts = Object.fromEntries(
      addresses.map((address, at) => {
        const host = `r${row}n${at}.acme.test`;
        const type = address.includes(":") ? "AAAA" : "A";
        elsewhere.push({ name: host, type, data: address });
        return [host, []];
      }),
    );
    const glued = Object.fromEntries(
      addresses.map((address, at) => [`ns${at}.glued${row}.test`, [address]]),
    );
    return [
      ...delegation(`glued${row}.test`, glued),
      ...delegation(`named${row}.test`, hosts),
      ...delegation(`mixed${row}.test`, { [`ns.mixed${row}.test`]: [...addresses, NET.at(5)] }),
    ];
  });
  const mixed = blocks.map((_, row) =>
    labZone(`mixed${row}.test`, { [`ns.mixed${row}.test`]: [NET.at(5)] }, [
      { name: `${LABEL}.mixed${row}.test`, type: "TXT", data: TOKEN },
    ]),
  );
  const world = new World(
    {
      records: elsewhere,
      tld: { records: zones },
      servers: { 5: { zones: mixed } },
      // One server stands for all of the registry's servers.
      packetsPerAddress: [{ count: 100_000, seconds: 1 }],
    },
    NET,
    PORT,
  );
  await world.open();
  const { reader } = world;
  const wire = tapWire();
  onTestFinished(() => {
    wire.stop();
    world.close();
  });
  const read = (name: string) =>
    reader.readChallenge({ domain: name, label: LABEL, token: TOKEN }, never);
  const seen = await Promise.all(
    blocks.flatMap((_, row) =>
      ["glued", "named", "mixed"].map((kind) => read(`${kind}${row}.test`)),
    ),
  );
  await Promise.all(blocks.map((_, row) => reader.readZone(`glued${row}.test`, never)));

  // All others are the lab's own answers.
  const queries = wire.sent.filter(({ port }) => port === PORT);
  const outside = queries.filter(({ address }) => !address.startsWith(NET.prefix));
  expect(queries.length).toBeGreaterThan(500);
  expect(outside).toEqual([]);
  for (const { domain, servers } of seen) {
    const results = new Set(servers.map(({ result }) => result));
    const expected = domain.startsWith("mixed") ? "answered" : "blocked_address";
    expect([domain, [...results]]).toEqual([domain, [expected]]);
  }
});
