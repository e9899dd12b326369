import { afterAll, beforeAll, expect, it } from "vitest";
import { late } from "../testing/faults.ts";
import { delegation, labZone } from "../testing/lab-zone.ts";
import { HISTORY } from "../testing/observations.ts";
import { NAME, nameservers, txt } from "../testing/rows.ts";
import { decide } from "../testing/verdicts.ts";
import { describeDecision, LABEL, netOf, TOKEN, World } from "../testing/world.ts";
import { networkOf, Read } from "./read.ts";
import { readChallenge } from "./read-challenge.ts";

const NET = netOf(700);
const PORT = 30_700 + (process.pid % 300);
const own = { [`ns.${NAME}`]: [NET.at(9)] };
const parent = nameservers(NET, 2);

/** One of two nameservers delegates the challenge name to an attacker, who has the token. */
const world = new World(
  {
    records: [],
    servers: {
      3: { zones: [labZone("acme.test", parent, delegation(NAME, own))] },
      // The honest one answers late, so the stray answer comes first.
      4: { behaviour: late(800) },
      9: { zones: [labZone(NAME, own, [txt(NAME)])] },
    },
  },
  NET,
  PORT,
);
const network = networkOf({
  rootHints: [{ host: "a.root", addresses: [NET.at(1)] }],
  trustAnchors: [],
  witnesses: [],
  allowAddresses: [`${NET.prefix}.0/24`],
  port: PORT,
});

beforeAll(() => world.open());
afterAll(() => {
  world.close();
});

it("does not follow a cut if a nameserver that our limits kept from being asked might not show it", async () => {
  // The root, the registry and one of the nameservers.
  const budget = { packets: 3, exchanges: [], met: new Set<string>(), main: null };
  const read = new Read(network, new AbortController().signal, () => true, budget);
  read.allowNameservers = () => {};
  const seen = await readChallenge(read, { domain: "acme.test", label: LABEL, token: TOKEN });
  read.finish();
  expect(seen.limit).toBe("packets");
  expect(describeDecision(decide(seen, HISTORY))).toBe("unresolvable");
});

it("shows the zone that all of its servers show", async () => {
  const seen = await world.reader.readZone(NAME, new AbortController().signal);
  expect(seen).toMatchObject({ type: "read", zone: "acme.test", nameservers: Object.keys(parent) });
});
