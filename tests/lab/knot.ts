import { execFile } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { type Daemon, runDaemon } from "./daemon.ts";
import { knotConf } from "./knot-conf.ts";
import type { Software } from "./software.ts";
import { KNOTS, type KnotName, type LabZone, zoneFile } from "./zones.ts";

const run = promisify(execFile);
const BOUND = { timeout: 30_000 };

export type Knot = Daemon & {
  /** Replaces the records in its copy of a zone. Resolves once they are served. */
  reload(zone: LabZone, records: string[]): Promise<void>;
};

const fileOf = (zone: string) => (zone === "." ? "root.zone" : `${zone}.zone`);

const config = (name: KnotName, folder: string, port: number, zones: LabZone[]): string =>
  knotConf({
    folder,
    addresses: [KNOTS[name].address],
    port,
    sections: ["policy:", "  - id: lab", "    manual: on", "    cds-cdnskey-publish: none"],
    zones: zones.flatMap((zone) => [
      `  - domain: ${zone.name}`,
      `    file: ${fileOf(zone.name)}`,
      ...(zone.signed ? ["    dnssec-signing: on", "    dnssec-policy: lab"] : []),
    ]),
  });

/** Prepares one server's folder and configuration, without zone files. */
export async function prepareKnot(name: KnotName, base: string, port: number, zones: LabZone[]) {
  const folder = join(base, name);
  await mkdir(folder);
  const held = zones.filter(({ on }) => on[name]);
  await writeFile(join(folder, "knot.conf"), config(name, folder, port, held));
}

/** Generates a signed zone's key at its signer. Resolves to the DS record (SHA-256) for its parent. */
export async function makeKey({ keymgr }: Software, folder: string, zone: string): Promise<string> {
  const conf = ["-c", join(folder, "knot.conf"), zone];
  await run(
    keymgr,
    [...conf, "generate", "algorithm=ecdsap256sha256", "ksk=yes", "zsk=yes"],
    BOUND,
  );
  const { stdout } = await run(keymgr, [...conf, "ds"], BOUND);
  const line = stdout.split("\n").find((text) => / 13 2 /.test(text));
  if (!line) throw new Error(`keymgr gave no DS record for ${zone}: ${stdout}`);
  return line;
}

/** Writes one server's zone files, those of `presigned` zones unchanged, and starts it. */
export async function startKnot(
  { knotd, knotc }: Software,
  name: KnotName,
  folder: string,
  zones: LabZone[],
  presigned: ReadonlyMap<string, string>,
): Promise<Knot> {
  const serials = new Map<string, number>();
  const write = async (zone: LabZone, records: string[]) => {
    const serial = (serials.get(zone.name) ?? 0) + 1;
    serials.set(zone.name, serial);
    await writeFile(join(folder, fileOf(zone.name)), zoneFile(zone, records, serial));
  };
  for (const zone of zones) {
    const records = zone.on[name];
    const text = presigned.get(zone.name);
    if (records && text) await writeFile(join(folder, fileOf(zone.name)), text);
    else if (records) await write(zone, records);
  }
  const conf = join(folder, "knot.conf");
  return {
    ...runDaemon(knotd, ["-c", conf]),
    reload: async (zone, records) => {
      await write(zone, records);
      await run(knotc, ["-c", conf, "-b", "zone-reload", dotted(zone.name)], BOUND);
    },
  };
}

const dotted = (name: string) => (name === "." ? "." : `${name}.`);
