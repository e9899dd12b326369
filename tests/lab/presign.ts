import { execFile } from "node:child_process";
import { mkdtemp, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Software } from "./software.ts";
import { type LabZone, zoneFile } from "./zones.ts";

const run = promisify(execFile);
const BOUND = { timeout: 20_000 };

/** The text of a zone signed by BIND, with the validity period from `presigned`, and the DS record of its key. */
export async function presign(
  software: Software,
  base: string,
  zone: LabZone,
): Promise<{ text: string; dsLine: string }> {
  const { presigned, name } = zone;
  const [records] = Object.values(zone.on);
  if (!presigned || !records) throw new Error(`${name} is not to be signed`);
  const cwd = await mkdtemp(join(base, "presign-"));
  const inFolder = { ...BOUND, cwd };
  const algorithm = ["-q", "-a", "ECDSAP256SHA256"];
  await run(software["dnssec-keygen"], [...algorithm, "-f", "KSK", name], inFolder);
  await run(software["dnssec-keygen"], [...algorithm, name], inFolder);
  await writeFile(join(cwd, "zone"), zoneFile(zone, records, 1));
  const period = ["-s", fromNow(presigned.from), "-e", fromNow(presigned.until)];
  // -P: skips verification, because many of these zones are invalid on purpose.
  const output = ["-q", "-P", "-S", "-O", "full", "-f", "signed", "-o", name];
  await run(software["dnssec-signzone"], [...output, ...period, "zone"], inFolder);
  const lines = (await readFile(join(cwd, "signed"), "utf8")).split("\n");
  const { without, spoiled } = presigned;
  const text = lines
    .filter((line) => !without?.test(line))
    .map((line) => (spoiled?.test(line) ? line.replace(/\S(?=\S*$)/, otherDigit) : line));
  const dsLine = (await readFile(join(cwd, `dsset-${name}.`), "utf8")).trim();
  return { text: text.join("\n"), dsLine };
}

/** Of base64. */
const otherDigit = (digit: string) => (digit === "A" ? "B" : "A");

/** In the form dnssec-signzone expects. */
const fromNow = (seconds: number) => `now${seconds < 0 ? "-" : "+"}${Math.abs(seconds)}`;
