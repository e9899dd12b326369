import { execFile } from "node:child_process";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Software } from "./software.ts";
import type { Presigned } from "./zones.ts";

const run = promisify(execFile);
const TIMEOUT_MS = 30_000;
const ALGORITHM = ["-q", "-a", "ECDSAP256SHA256"];
const fromNow = (seconds: number) => `now${seconds < 0 ? "-" : "+"}${Math.abs(seconds)}`;

/** Another digit of base64. */
const otherDigit = (digit: string) => (digit === "A" ? "B" : "A");

/** Signs texts of one zone with the same keys. */
export type Signer = {
  ds: string;
  sign(text: string, how: Presigned): Promise<string>;
};

export async function makeSigner(software: Software, base: string, zone: string): Promise<Signer> {
  const cwd = join(base, `keys-${zone}`);
  await mkdir(cwd);
  const inFolder = { timeout: TIMEOUT_MS, cwd };
  await run(software["dnssec-keygen"], [...ALGORITHM, "-f", "KSK", zone], inFolder);
  await run(software["dnssec-keygen"], [...ALGORITHM, zone], inFolder);
  const sign = async (text: string, { from, until, without, spoiled }: Presigned) => {
    await writeFile(join(cwd, "zone"), text);
    // -P, because some zones are invalid on purpose.
    const options = ["-q", "-P", "-S", "-O", "full", "-f", "signed", "-o", zone];
    const period = ["-s", fromNow(from), "-e", fromNow(until)];
    await run(software["dnssec-signzone"], [...options, ...period, "zone"], inFolder);
    return (await readFile(join(cwd, "signed"), "utf8"))
      .split("\n")
      .filter((line) => !without?.test(line))
      .map((line) => (spoiled?.test(line) ? line.replace(/\S(?=\S*$)/, otherDigit) : line))
      .join("\n");
  };
  await sign(`$TTL 300\n@ SOA . . 1 1 1 1 1\n@ NS .\n`, { from: -60, until: 60 });
  return { ds: (await readFile(join(cwd, `dsset-${zone}.`), "utf8")).trim(), sign };
}
