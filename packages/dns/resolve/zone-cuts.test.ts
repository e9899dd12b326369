import { expect, it } from "vitest";
import { late } from "../testing/faults.ts";
import { delegation, labZone } from "../testing/lab-zone.ts";
import { HISTORY } from "../testing/observations.ts";
import { oneWorld, openRead } from "../testing/one-world.ts";
import { NAME, nameservers, txt } from "../testing/rows.ts";
import { decide } from "../testing/verdicts.ts";
import { describeDecision, LABEL, netOf, TOKEN } from "../testing/world.ts";
import { readChallenge } from "./read-challenge.ts";

const NET = netOf(700);
const own = { [`ns.${NAME}`]: [NET.at(9)] };
const parent = nameservers(NET, 2);
const open = oneWorld(NET);

/** One of two nameservers delegates the challenge name to an attacker, who has the token. */
const ATTACKED = {
  records: [],
  servers: {
    3: { zones: [labZone("acme.test", parent, delegation(NAME, own))] },
    // The honest one answers late, so the stray answer comes first.
    4: { behaviour: late(800) },
    9: { zones: [labZone(NAME, own, [txt(NAME)])] },
  },
};

it("does not follow a cut if a nameserver that our limits kept from being asked might not show it", async () => {
  const { settings } = await open(ATTACKED);
  // The root, the registry and one of the nameservers.
  const read = openRead({ ...settings, witnesses: [] }).read.withOwnPackets(3);
  read.allowNameservers = () => {};
  const seen = await readChallenge(read, { domain: "acme.test", label: LABEL, token: TOKEN });
  expect(seen.limit).toBe("packets");
  expect(describeDecision(decide(seen, HISTORY))).toBe("unresolvable");
});

it("shows the zone that all of its servers show", async () => {
  const { reader } = await open(ATTACKED);
  const seen = await reader.readZone(NAME, new AbortController().signal);
  expect(seen).toMatchObject({ type: "read", zone: "acme.test", nameservers: Object.keys(parent) });
});
