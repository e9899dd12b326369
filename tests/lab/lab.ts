import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Authority } from "@deed/dns/testing/certificates.ts";
import { askUdp } from "@deed/playground/client.ts";
import { openPort } from "@deed/playground/port.ts";
import { RECURSION_DESIRED } from "dns-packet";
import { describe } from "vitest";
import { lacks } from "../support/lacks.ts";
import { newFolder } from "../support/service.ts";
import type { Daemon } from "./daemon.ts";
import { type Knot, makeKey, prepareKnot, startKnot } from "./knot.ts";
import { makeSigner } from "./sign.ts";
import { findSoftware, LAB_PROGRAMS } from "./software.ts";
import { type Ports, startUnbound, UNBOUNDS } from "./unbound.ts";
import { infrastructure, KNOTS, type KnotName, type LabZone, zoneFile } from "./zones.ts";

const START_MS = 60_000;
const namesOf = (zones: LabZone[]) =>
  (Object.keys(KNOTS) as KnotName[]).filter((name) => zones.some(({ on }) => on[name]));

/** A suite on the lab that calls `more` programs than the lab does. */
export function describeLab(title: string, suite: () => void, more: readonly string[] = []): void {
  describe.skipIf(lacks(...LAB_PROGRAMS, ...more))(title, suite);
}

/** Three ports that were just free on every address of the lab and on 127.0.0.1. */
async function freePorts(): Promise<Ports> {
  const servers = [...Object.values(KNOTS), ...UNBOUNDS].map(({ address }) => address);
  const addresses = ["127.0.0.1", ...servers];
  const open = [await openPort(addresses), await openPort(addresses), await openPort(addresses)];
  await Promise.all(open.map((port) => port.close()));
  const [plain = 0, tls = 0, https = 0] = open.map((port) => port.number);
  return { plain, tls, https };
}

export async function waitFor(what: string, daemon: Daemon, ready: () => Promise<boolean>) {
  const giveUpAt = Date.now() + START_MS;
  while (!(await ready())) {
    if (!daemon.running() || Date.now() > giveUpAt)
      throw new Error(`${what} did not come up:\n${daemon.printed()}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

const hasZone = async (server: KnotName, port: number, zone: string) => {
  const { address } = KNOTS[server];
  const question = { name: zone === "." ? "" : zone, type: "SOA" };
  const packet = await askUdp({ address, port }, question, 300);
  return packet?.flag_aa === true && packet.answers?.[0]?.type === "SOA";
};

/** Starts knotd and three validating unbound on 127.0.40.0/24; `com` is unsigned, `example` signed. */
export async function startLab(zones: LabZone[]) {
  const { software, missing } = findSoftware(LAB_PROGRAMS);
  if (missing.length > 0) throw new Error(`the lab needs ${missing.join(", ")}`);
  const base = newFolder();
  const daemons: Daemon[] = [];
  const stop = () => Promise.all(daemons.map((daemon) => daemon.stop()));
  try {
    const ports = await freePorts();
    const port = ports.plain;
    const authority = new Authority();
    const certificate = authority.issue(UNBOUNDS.map(({ address }) => address));
    const skeleton = [...infrastructure(zones, new Map()), ...zones];
    const names = namesOf(skeleton);
    for (const name of names) await prepareKnot(name, base, port, skeleton);
    /** DS records by zone: for the parents of `zones`, and for the root as trust anchor. */
    const ds = new Map<string, string>();
    const presigned = new Map<string, string>();
    for (const zone of skeleton) {
      const [name] = namesOf([zone]);
      if (zone.signed && name)
        ds.set(zone.name, await makeKey(software, join(base, name), zone.name));
      if (!zone.presigned) continue;
      const signer = await makeSigner(software, base, zone.name);
      const [records = []] = Object.values(zone.on);
      presigned.set(zone.name, await signer.sign(zoneFile(zone, records, 1), zone.presigned));
      ds.set(zone.name, signer.ds);
    }
    const anchor = ds.get(".") ?? "";
    const all = [...infrastructure(zones, ds), ...zones];
    const knots = new Map<KnotName, Knot>();
    for (const name of names) {
      const knot = await startKnot(software, name, join(base, name), all, presigned);
      daemons.push(knot);
      knots.set(name, knot);
    }
    const ask = (address: string, name: string) =>
      askUdp({ address, port }, { name, type: "TXT", flags: RECURSION_DESIRED }, 3_000);
    const unbounds: Daemon[] = [];
    for (const { address } of UNBOUNDS)
      unbounds.push(await startUnbound(software, address, base, ports, certificate, all, anchor));
    daemons.push(...unbounds);
    for (const [name, knot] of knots)
      for (const zone of all.filter(({ on }) => on[name]))
        await waitFor(`${zone.name} on ${name}`, knot, () => hasZone(name, port, zone.name));
    for (const [index, daemon] of unbounds.entries()) {
      const address = UNBOUNDS[index]?.address ?? "";
      await waitFor(address, daemon, async () => (await ask(address, "com")) !== null);
    }
    const hints = join(base, "named.root");
    const { host, address } = KNOTS.root;
    await writeFile(hints, `. 3600000 NS ${host}.\n${host}. 3600000 A ${address}\n`);
    const reload = async (server: KnotName, name: string, change: (old: string[]) => string[]) => {
      const zone = all.find((each) => each.name === name);
      const knot = knots.get(server);
      if (!zone || !knot) throw new Error(`the lab has no zone ${name} on ${server}`);
      await knot.reload(zone, change(zone.on[server] ?? []));
    };
    return {
      /** The environment that makes the service read only this DNS. */
      env: {
        DNS_ROOT_HINTS: hints,
        DNS_TRUST_ANCHORS: anchor,
        DNS_PORT: String(port),
        DNS_ALLOW_ADDRESSES: "127.0.0.0/8",
        DNS_RESOLVERS: UNBOUNDS.map(({ name, address }) => `${name}=${address}:${port}`).join(),
      },
      /** The CA of the resolvers' certificates. */
      authority,
      /** The ports each resolver listens on. */
      ports,
      /** Asks every resolver for TXT at a name, so that they cache the answer. */
      prime: (name: string) => Promise.all(UNBOUNDS.map(({ address }) => ask(address, name))),
      /** Replaces a zone's records where it is loaded from a file. Resolves once they are served there. */
      setZone: async (name: string, records: string[]) => {
        const servers = namesOf(all.filter((zone) => zone.name === name));
        if (servers.length === 0) throw new Error(`the lab has no zone ${name}`);
        for (const server of servers) await reload(server, name, () => records);
      },
      /** Replaces a registry's records of a type for a zone, as lines. Resolves once the change is served. */
      list: (name: string, type: "NS" | "DS", lines: string[] = []) =>
        reload("tld", name.replace(/^.*\./, ""), (old) => [
          ...old.filter((line) => !(line.startsWith(`${name}.`) && line.includes(` ${type} `))),
          ...lines,
        ]),
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}
export type Lab = Awaited<ReturnType<typeof startLab>>;
