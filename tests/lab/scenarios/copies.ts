import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { makeSigner, type SigningTools } from "../sign.ts";
import { type Presigned, zoneFile } from "../zones.ts";
import type { Copy, Program, ScenarioZone } from "./scenario.ts";

/** A zone file in one program's folder. */
export type Served = { zone: ScenarioZone; copy: Copy; file: string };

const DAY = 86_400;
const SIGNED: Record<string, Presigned> = {
  edited: { from: -DAY, until: DAY },
  expired: { from: -60 * DAY, until: -30 * DAY },
};

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
      const { name, dnssec } = zone;
      const { records, serial = 1, forResolvers } = copy;
      const file = join(folder, `${name}.zone`);
      const isEdited = dnssec === "edited";
      let text = zoneFile(zone, isEdited ? [] : records, serial);
      const signer = dnssec && (await makeSigner(tools, base, name));
      if (signer) ds.set(name, signer.ds);
      const how = dnssec && SIGNED[dnssec];
      if (signer && how) text = await signer.sign(text, how);
      if (isEdited) text = [text, `$ORIGIN ${name}.`, ...records, ""].join("\n");
      await writeFile(file, text);
      if (forResolvers) await writeFile(`${file}.inside`, zoneFile(zone, forResolvers, serial));
      served.push({ zone, copy, file });
    }
  return { folder, served, ds };
}
