import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { askUdp } from "@deed/playground/client.ts";
import { newFolder } from "../../support/service.ts";
import { type Daemon, runDaemon } from "../daemon.ts";
import { knotConf } from "../knot-conf.ts";
import { type Lab, startLab, waitFor } from "../lab.ts";
import { makeSigner } from "../sign.ts";
import { findSoftware, LAB_PROGRAMS, type Software } from "../software.ts";
import { foreignDs, type LabZone, NS1, NS2, zoneFile } from "../zones.ts";
import { type Front, openFront } from "./front.ts";
import {
  addressesOf,
  BACKENDS,
  type Backend,
  type Host,
  nameOf,
  placeOf,
  TLDS,
  type Tld,
} from "./hosts.ts";
import { type Row, type RowZone, recordsOf } from "./row.ts";

const AT_ONCE = 4;

/** The name of a row's zones: `z<index>` in its registry. */
export const nameOfRow = (index: number, { tld = "com" }: Row) => `z${index}.${tld}`;

type Placed = { zone: RowZone; name: string; tld: Tld };

const placed = (rows: readonly Row[]): Placed[] =>
  rows.flatMap((row, index) => {
    const name = nameOfRow(index, row);
    return [row, ...row.others].map((zone: RowZone) => ({
      zone,
      name: zone.at ? `${zone.at}.${name}` : name,
      tld: row.tld ?? "com",
    }));
  });

const used = (zones: readonly Placed[]): Host[] => [
  ...new Set(zones.flatMap(({ zone }) => [zone.servers, zone.own ?? [], zone.asks ?? []].flat(2))),
];

/** The addresses that resolvers ask for a zone. */
function asked({ servers, own = [], asks }: RowZone): string[] | string[][] {
  const addresses = (hosts: Host[]) => hosts.flatMap((host) => placeOf(host)?.address ?? []);
  if (asks) return asks.length > 1 ? asks.map(addresses) : addresses(asks.flat());
  const plain = [...servers, ...own].filter((host) => placeOf(host)?.manner === null);
  const holding = plain.filter((host) => placeOf(host)?.backend === "has");
  return addresses(holding.length > 0 ? holding : servers);
}

const labZone = ({ zone, name, tld }: Placed): LabZone => ({
  name,
  delegatedTo: zone.servers.map((host) => nameOf(host, tld)),
  ...(zone.own && { ownNameservers: zone.own.map((host) => nameOf(host, tld)) }),
  ...(zone.refresh && { refresh: zone.refresh }),
  on: {},
  at: asked(zone),
});

/** The zones with the nameservers' addresses, which the registries also have as glue. */
const hostZones = (hosts: readonly Host[]): LabZone[] =>
  TLDS.map((tld) => {
    const lines = hosts.flatMap((host) =>
      addressesOf(host).map(
        (address) => `${nameOf(host, tld)}. ${address.includes(":") ? "AAAA" : "A"} ${address}`,
      ),
    );
    const on = { ns1: lines, ns2: lines };
    return { name: `rule.${tld}`, delegatedTo: [NS1, NS2], on, glue: lines };
  });

/** The zone files of each knotd, and the DS records of the signed zones. */
async function zoneTexts(software: Software, base: string, zones: readonly Placed[]) {
  const files: { backend: Backend; name: string; text: string }[] = [];
  const ds = new Map<string, string>();
  const write = async (one: Placed) => {
    const { zone, name } = one;
    const signer = zone.signed ? await makeSigner(software, base, name) : null;
    if (zone.ds || signer) ds.set(name, zone.ds || !signer ? foreignDs(name) : signer.ds);
    for (const [key, lines] of Object.entries(recordsOf(zone))) {
      const backend = key as Backend;
      const text = zoneFile(labZone(one), lines, 1);
      const how = zone.signed?.[backend];
      files.push({ backend, name, text: signer && how ? await signer.sign(text, how) : text });
    }
  };
  const waiting = [...zones];
  const work = async () => {
    for (let one = waiting.pop(); one; one = waiting.pop()) await write(one);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return { files, ds };
}

/** Starts everything that the rows need: three knotd, the servers in front of them, and the lab. */
export async function startTable(rows: readonly Row[]) {
  const { software } = findSoftware(LAB_PROGRAMS);
  const base = newFolder();
  const daemons: Daemon[] = [];
  const fronts: Front[] = [];
  let lab: Lab | null = null;
  const stop = async () => {
    for (const front of fronts) front.close();
    await Promise.all(daemons.map((daemon) => daemon.stop()));
    await lab?.stop();
  };
  try {
    const zones = placed(rows);
    const { files, ds } = await zoneTexts(software, base, zones);
    const hosts = used(zones);
    lab = await startLab([
      ...hostZones(hosts),
      ...zones.map((one) => {
        const line = ds.get(one.name);
        return { ...labZone(one), ...(line && { ds: [line] }) };
      }),
    ]);
    const port = lab.ports.plain;
    const places = hosts.flatMap((host) => placeOf(host) ?? []);
    for (const backend of Object.keys(BACKENDS) as Backend[])
      daemons.push(await startBackend(software, base, backend, port, places, files));
    const first = (backend: Backend) => `${BACKENDS[backend]}.1`;
    const behind = { has: first("has"), not: first("not") };
    for (const { address, manner, backend } of places)
      if (manner)
        fronts.push(await openFront(address, port, manner, { ...behind, own: first(backend) }));
    return { lab, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

type Files = Awaited<ReturnType<typeof zoneTexts>>["files"];

async function startBackend(
  software: Software,
  base: string,
  backend: Backend,
  port: number,
  places: readonly { backend: Backend; manner: unknown; address: string }[],
  files: Files,
): Promise<Daemon> {
  const folder = join(base, backend);
  await mkdir(folder);
  const own = files.filter((file) => file.backend === backend);
  await Promise.all(own.map(({ name, text }) => writeFile(join(folder, `${name}.zone`), text)));
  const direct = places.filter((place) => place.backend === backend && place.manner === null);
  const first = `${BACKENDS[backend]}.1`;
  const all = [first, `${BACKENDS[backend]}.31`, ...direct.map((one) => one.address)];
  const addresses = [...new Set(all)];
  const conf = join(folder, "knot.conf");
  const lines = own.flatMap(({ name }) => [`  - domain: ${name}`, `    file: ${name}.zone`]);
  await writeFile(conf, knotConf({ folder, addresses, port, zones: lines, log: "error" }));
  const daemon = runDaemon(software.knotd, ["-c", conf]);
  const serves = async (name: string) =>
    Boolean((await askUdp({ address: first, port }, { name, type: "SOA" }, 300))?.flag_aa);
  for (const { name } of own) await waitFor(`${name} on ${backend}`, daemon, () => serves(name));
  return daemon;
}
