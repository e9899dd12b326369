import { execFile } from "node:child_process";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Case } from "./cases.ts";

const run = promisify(execFile);
const BOUND = { timeout: 60_000 };

/** BIND's names of the algorithms; Knot's are the same in lower case. */
const ALGORITHMS: Record<number, string> = {
  8: "RSASHA256",
  10: "RSASHA512",
  13: "ECDSAP256SHA256",
  14: "ECDSAP384SHA384",
  15: "ED25519",
  16: "ED448",
};
const SALT = "d00d";

export type Unsigned = { zone: string; text: string } & Pick<
  Case,
  "algorithm" | "denial" | "iterations" | "keys" | "days" | "digest"
>;
/** `ds`: the RDATA of the DS records for the parent. */
export type Signed = { text: string; ds: string[] };

/** Signs by BIND's dnssec-signzone, in a folder of its own. */
export async function signByBind(base: string, zone: Unsigned): Promise<Signed> {
  const cwd = join(base, `bind-${zone.zone}`);
  await mkdir(cwd);
  const bound = { ...BOUND, cwd };
  const dotted = zone.zone === "." ? "." : `${zone.zone}.`;
  const { algorithm, keys, denial, iterations = 0, days: [from, until] = [-1, 3650] } = zone;
  const ds: string[] = [];
  for (const key of keys ?? [
    { role: "KSK" as const, algorithm },
    { role: "ZSK" as const, algorithm },
  ]) {
    const role = key.role === "KSK" ? ["-f", "KSK"] : [];
    const name = ALGORITHMS[key.algorithm] ?? "";
    const size = name.startsWith("RSA") ? ["-b", "2048"] : [];
    const options = ["-a", name, ...size, ...role, ...(key.options ?? [])];
    const { stdout } = await run("dnssec-keygen", ["-q", ...options, dotted], bound);
    if (key.role !== "KSK" || key.withoutDs) continue;
    const digest = ["-a", zone.digest ?? "SHA-256"];
    const { stdout: line } = await run("dnssec-dsfromkey", [...digest, stdout.trim()], bound);
    ds.push(line.trim().replace(/^.* IN DS /, ""));
  }
  await writeFile(join(cwd, "zone"), zone.text);
  const hashed = ["-3", SALT, "-H", String(iterations), ...(denial === "opt-out" ? ["-A"] : [])];
  const period = ["-s", `now${days(from)}`, "-e", `now${days(until)}`];
  const output = ["-q", "-P", "-S", "-O", "full", "-f", "signed", "-o", dotted];
  const args = [...output, ...period, ...(denial && denial !== "nsec" ? hashed : []), "zone"];
  await run("dnssec-signzone", args, bound);
  return { text: await readFile(join(cwd, "signed"), "utf8"), ds };
}

const days = (count: number) => `${count < 0 ? "-" : "+"}${Math.abs(count) * 86_400}`;

/** Signs by Knot's kzonesign. */
export async function signByKnot(base: string, zone: Unsigned): Promise<Signed> {
  const cwd = join(base, `knot-${zone.zone}`);
  await mkdir(cwd);
  const { algorithm, denial = "nsec", iterations = 0 } = zone;
  const conf = [
    "database:",
    `    storage: ${cwd}`,
    "policy:",
    "  - id: lab",
    "    manual: on",
    "    cds-cdnskey-publish: none",
    "    rrsig-lifetime: 3650d",
    `    nsec3: ${denial === "nsec" ? "off" : "on"}`,
    `    nsec3-iterations: ${iterations}`,
    `    nsec3-opt-out: ${denial === "opt-out" ? "on" : "off"}`,
    "zone:",
    `  - domain: ${zone.zone}`,
    `    storage: ${cwd}`,
    "    file: zone",
    "    dnssec-signing: on",
    "    dnssec-policy: lab",
    "",
  ];
  await writeFile(join(cwd, "knot.conf"), conf.join("\n"));
  await writeFile(join(cwd, "zone"), zone.text);
  const given = ["-c", join(cwd, "knot.conf")];
  const named = [...given, zone.zone];
  const kind = `algorithm=${ALGORITHMS[algorithm]?.toLowerCase()}`;
  await run("keymgr", [...named, "generate", kind, "ksk=yes", "zsk=no"], BOUND);
  await run("keymgr", [...named, "generate", kind, "ksk=no", "zsk=yes"], BOUND);
  const { stdout } = await run("keymgr", [...named, "ds"], BOUND);
  const ds = stdout.split("\n").flatMap((line) => /DS (\d+ \d+ 2 .*)$/.exec(line)?.[1] ?? []);
  await mkdir(join(cwd, "out"));
  await run("kzonesign", [...given, "-o", join(cwd, "out"), zone.zone], BOUND);
  return { text: await readFile(join(cwd, "out", "zone"), "utf8"), ds };
}
