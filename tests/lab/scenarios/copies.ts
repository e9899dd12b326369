import { execFile } from "node:child_process";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Copy, Program, ScenarioZone } from "./scenario.ts";

const run = promisify(execFile);
const BOUND = { timeout: 20_000 };

export const SIGNING_TOOLS = ["dnssec-keygen", "dnssec-dsfromkey", "dnssec-signzone"] as const;
export type SigningTools = Record<(typeof SIGNING_TOOLS)[number], string>;

/** A zone file in one program's folder. */
export type Served = { zone: ScenarioZone; copy: Copy; file: string };

/** The text of a zone file. */
export function zoneText(zone: ScenarioZone, records: string[], serial: number): string {
  const hosts = zone.ownNameservers ?? zone.delegatedTo;
  const minimum = zone.minimum ?? 300;
  return [
    `$ORIGIN ${zone.name}.`,
    "$TTL 300",
    `@ ${minimum} SOA ${hosts[0]}. hostmaster.${zone.name}. ${serial} 3600 900 86400 ${minimum}`,
    ...hosts.map((host) => `@ NS ${host}.`),
    ...records,
    "",
  ].join("\n");
}

/** Generates a zone's keys in a separate folder. Resolves to the folder and the parent's DS record. */
async function makeKeys(tools: SigningTools, base: string, zone: string) {
  const keys = join(base, `keys-${zone}`);
  await mkdir(keys);
  const make = async (...flags: string[]) => {
    const args = ["-q", "-K", keys, "-a", "ECDSAP256SHA256", ...flags, zone];
    return (await run(tools["dnssec-keygen"], args, BOUND)).stdout.trim();
  };
  const signing = await make("-f", "KSK");
  await make();
  const { stdout } = await run(
    tools["dnssec-dsfromkey"],
    ["-2", join(keys, `${signing}.key`)],
    BOUND,
  );
  return { keys, ds: stdout.trim() };
}

/** Signs a zone file in place. `validity`: when the signatures begin and end. */
async function sign(tools: SigningTools, keys: string, zone: string, file: string, validity = "") {
  // -P: skips verification, because some zones are broken on purpose.
  const args = [
    "-P",
    "-S",
    "-K",
    keys,
    "-o",
    zone,
    "-d",
    keys,
    ...validity.split(" ").filter(Boolean),
  ];
  await run(tools["dnssec-signzone"], [...args, "-f", `${file}.signed`, file], BOUND);
  await writeFile(file, await readFile(`${file}.signed`));
}

const LAST_YEAR = "-s 20250101000000 -e 20250201000000";

/** Writes the zone files of one program. Resolves to them, and to the parents' DS records by zone. */
export async function writeCopies(
  tools: SigningTools,
  base: string,
  program: Program,
  zones: ScenarioZone[],
): Promise<{ folder: string; served: Served[]; ds: Map<string, string> }> {
  const folder = join(base, program);
  await mkdir(folder);
  const served: Served[] = [];
  const ds = new Map<string, string>();
  for (const zone of zones)
    for (const copy of zone.copies.filter((one) => one.program === program)) {
      const file = join(folder, `${zone.name}.zone`);
      const serial = copy.serial ?? 1;
      const isEdited = zone.dnssec === "edited";
      await writeFile(file, zoneText(zone, isEdited ? [] : copy.records, serial));
      if (zone.dnssec) {
        const { keys, ds: record } = await makeKeys(tools, base, zone.name);
        ds.set(zone.name, record);
        if (zone.dnssec === "expired") await sign(tools, keys, zone.name, file, LAST_YEAR);
        if (isEdited) await sign(tools, keys, zone.name, file);
      }
      if (isEdited)
        await writeFile(file, [`$ORIGIN ${zone.name}.`, ...copy.records, ""].join("\n"), {
          flag: "a",
        });
      if (copy.forResolvers)
        await writeFile(`${file}.inside`, zoneText(zone, copy.forResolvers, serial));
      served.push({ zone, copy, file });
    }
  return { folder, served, ds };
}
