import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { passOver } from "../../../../tests/support/lacks.ts";

const CHECKER = join(import.meta.dirname, "check_chain.py");
/** Debian's packages are for its own Python, which need not be the first in PATH. */
const PYTHONS = ["/usr/bin/python3", "python3"];
const NEEDED = "import dns.dnssec, cryptography";

export type CheckedChain = {
  name: string;
  value: string;
  at: number;
  anchors: string[];
  chain: Uint8Array;
};

/** What dnspython makes of a chain; null, and a line that says why, where it is not installed, but not in CI. */
export function checkByPython({ chain, ...question }: CheckedChain): string | null {
  const python = PYTHONS.find((one) => spawnSync(one, ["-c", NEEDED]).status === 0);
  if (!python && !process.env.CI) {
    passOver("Python with dnspython and cryptography");
    return null;
  }
  const input = JSON.stringify({ ...question, chain: Buffer.from(chain).toString("base64") });
  const { stdout } = spawnSync(python ?? "python3", [CHECKER], { input: `${input}\n` });
  return String(stdout).trim();
}
