import { expect, it, test } from "vitest";
import { rcode, silent, truncating } from "../testing/faults.ts";
import { oneWorld, PATIENT } from "../testing/one-world.ts";
import { LABEL, netOf, TOKEN } from "../testing/world.ts";
import { replyHash } from "../verdict/evidence.ts";

const NET = netOf(4_200);
const never = new AbortController().signal;
const question = { domain: "acme.test", label: LABEL, token: TOKEN };
const at = (host: number) => ({
  ...question,
  zone: "acme.test",
  server: { host: `ns${host - 2}.acme.test`, address: NET.at(host) },
});

const open = oneWorld(NET, PATIENT);

it("is one packet to one nameserver, and says what a read hears from it", async () => {
  const world = await open({ packetsPerAddress: [{ count: 1_000_000, seconds: 1 }] });
  const { reader } = world;
  const { servers } = await reader.readChallenge(question, never);
  const before = world.seenBy(3);
  const [own] = servers;
  const glance = await reader.glance(at(3), never);
  expect(glance).toEqual({ type: "answered", digest: replyHash(own?.answer), hasToken: true });
  expect(world.seenBy(3) - before).toBe(1);
});

test.each([
  ["silent", silent, 0.1],
  ["silent", truncating, PATIENT],
  ["silent", rcode(2), PATIENT],
  ["refused", rcode(5), PATIENT],
])("%s: with one packet, whatever comes back", async (type, behaviour, patience) => {
  const world = await open({ patience, servers: { 3: { behaviour } } });
  expect(await world.reader.glance(at(3), never)).toEqual({ type });
  expect(world.seenBy(3)).toBe(1);
});

it("may not ask a resolver, nor an address that was just asked", async () => {
  const packetsPerAddress = [{ count: 1, seconds: 1_000 }];
  const servers = { 4: { behaviour: silent } };
  const { reader } = await open({ patience: 0.1, servers, packetsPerAddress });
  const mayAsk = (...hosts: number[]) => hosts.map((host) => reader.mayGlance(NET.at(host)));
  expect(mayAsk(1, 3, 4, 20)).toEqual([false, true, true, false]);
  const asked = [3, 4].map((host) => reader.glance(at(host), never));
  expect(mayAsk(3, 4)).toEqual([false, false]);
  await Promise.all(asked);
});
