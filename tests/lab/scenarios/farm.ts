import { execFile } from "node:child_process";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { askUdp } from "@deed/playground/client.ts";
import type { Daemon } from "../daemon.ts";
import { type Lab, startLab, waitFor } from "../lab.ts";
import { SIGNING_TOOLS } from "../sign.ts";
import { findSoftware } from "../software.ts";
import { type LabZone, NS1, NS2, zoneFile } from "../zones.ts";
import { writeCopies } from "./copies.ts";
import { startDnsdist, startKnotd, startNamed, startNsd, startPdns } from "./programs.ts";
import {
  BIND,
  DIST,
  HOSTS,
  type Host,
  KNOT,
  LABEL,
  NSD,
  PDNS,
  type Program,
  type ScenarioZone,
} from "./scenario.ts";

const run = promisify(execFile);
const DAEMONS = ["knotd", "nsd", "named", "pdns_server"] as const;
export const FARM_PROGRAMS = [...DAEMONS, "pdnsutil", "dnsdist", ...SIGNING_TOOLS] as const;

const HOSTS_OF: Record<Program, Host[]> = {
  knotd: KNOT,
  nsd: NSD,
  named: BIND,
  pdns_server: PDNS,
};

/** All server programs of the thirty zones, on 127.0.42.0/24, below the lab's root and registries. */
export type Farm = {
  lab: Lab;
  /** Has the resolvers query the challenge name of a zone on knotd before its records are added. */
  remember(zone: ScenarioZone): Promise<void>;
  stop(): Promise<void>;
};

/** Where resolvers send queries for a zone. */
function addressesOf({ front, copies, delegatedTo }: ScenarioZone): string[] {
  if (front) return DIST.map((host) => HOSTS[host]);
  const held = copies.flatMap(({ program }) => HOSTS_OF[program]);
  const listed = held.filter((host) => delegatedTo.includes(host));
  return (listed.length > 0 ? listed : held).map((host) => HOSTS[host]);
}

function labZone(zone: ScenarioZone, all: ReadonlyMap<string, string>): LabZone {
  const { name, delegatedTo } = zone;
  const ds = all.get(name);
  return { name, delegatedTo, on: {}, at: addressesOf(zone), ...(ds && { ds: [ds] }) };
}

/** A lab zone with the hosts of the delegations. */
const HOSTS_ZONE: LabZone = (() => {
  const records = Object.entries(HOSTS).map(([host, address]) => `${host}. A ${address}`);
  return {
    name: "farm.example",
    delegatedTo: [NS1, NS2],
    on: { ns1: records, ns2: records },
  };
})();

/** Starts every program once. `remembered`: zones that start without their records. */
export async function startFarm(
  zones: ScenarioZone[],
  remembered: ScenarioZone[] = [],
): Promise<Farm> {
  const { software, missing } = findSoftware([...FARM_PROGRAMS, "knotc"]);
  if (missing.length > 0) throw new Error(`the farm needs ${missing.join(", ")}`);
  const base = await mkdtemp(join(tmpdir(), "deed-farm-"));
  const daemons: Daemon[] = [];
  let lab: Lab | null = null;
  const stop = async () => {
    await Promise.all(daemons.map((daemon) => daemon.stop()));
    await lab?.stop();
    await rm(base, { recursive: true, force: true });
  };
  const empty = (zone: ScenarioZone) => ({
    ...zone,
    copies: zone.copies.map((copy) => ({ ...copy, records: [] })),
  });
  const begun = zones.map((zone) => (remembered.includes(zone) ? empty(zone) : zone));
  try {
    const [knotd, nsd, named, pdns] = await Promise.all(
      DAEMONS.map((program) => writeCopies(software, base, program, begun)),
    );
    if (!knotd || !nsd || !named || !pdns) throw new Error("a program has no folder");
    const ds = new Map([knotd, nsd, named, pdns].flatMap((one) => [...one.ds]));
    lab = await startLab([HOSTS_ZONE, ...zones.map((zone) => labZone(zone, ds))]);
    const { plain: port } = lab.ports;
    const front = join(base, "dnsdist");
    await mkdir(front);
    daemons.push(
      await startKnotd(software.knotd, { ...knotd, port }),
      await startNsd(software.nsd, { ...nsd, port }),
      await startNamed(software.named, { ...named, port }),
      await startPdns(software.pdns_server, software.pdnsutil, { ...pdns, port }),
      await startDnsdist(software.dnsdist, { folder: front, port }, zones),
    );
    const serves = async (host: Host, name: string) => {
      const question = { name, type: "SOA" };
      const packet = await askUdp({ address: HOSTS[host], port }, question, 2_000);
      return Boolean(packet?.flag_aa || packet?.flag_tc);
    };
    for (const [at, daemon] of daemons.entries()) {
      const program = DAEMONS[at];
      const held = begun.filter(({ copies, front }) =>
        program
          ? copies.some((copy) => copy.program === program && !copy.orphaned)
          : front !== undefined,
      );
      const host = (program ? HOSTS_OF[program] : DIST)[0];
      for (const { name } of held)
        if (host) await waitFor(`${name} on ${host}`, daemon, () => serves(host, name));
    }
    const { prime } = lab;
    return {
      lab,
      remember: async (zone) => {
        await prime(`${LABEL}.${zone.name}`);
        const records = zone.copies.flatMap((copy) => copy.records);
        await writeFile(join(knotd.folder, `${zone.name}.zone`), zoneFile(zone, records, 2));
        const conf = join(knotd.folder, "knot.conf");
        await run(software.knotc, ["-c", conf, "-b", "zone-reload", `${zone.name}.`], {
          timeout: 5_000,
        });
      },
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}
