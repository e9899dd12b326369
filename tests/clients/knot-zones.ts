import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe } from "vitest";
import { runDaemon } from "../lab/daemon.ts";
import { knotConf } from "../lab/knot-conf.ts";
import { findSoftware } from "../lab/software.ts";
import { lacks } from "../support/lacks.ts";
import { freePort } from "../support/service.ts";

/** knot with zones that dynamic updates and transfers may use. */
export type KnotZones = {
  address: string;
  port: number;
  /** Where its files are, and others may be. */
  folder: string;
  /** The data of TXT at a name, as dig prints it. */
  txt(name: string): string;
  /** Runs nsupdate with these lines. */
  update(lines: string): { status: number | null; stderr: string };
  stop(): Promise<void>;
};

const TRIES = 200;

const PROGRAMS = ["knotd", "nsupdate", "dig"] as const;

/** A suite on knot. */
export function describeKnot(title: string, suite: () => void): void {
  describe.skipIf(lacks(...PROGRAMS))(title, suite);
}

/** Starts knot with zones, each with the records of its text below a SOA and the server's address. */
export async function startKnotZones(
  zones: Record<string, string>,
  address: string,
): Promise<KnotZones> {
  const { software } = findSoftware(PROGRAMS);
  const folder = mkdtempSync(join(tmpdir(), "deed-knot-"));
  const port = await freePort();
  const acl = [
    "acl:",
    "  - id: edit",
    "    address: 127.0.0.0/8",
    "    action: [update, transfer]",
  ];
  const entries = Object.keys(zones).flatMap((zone) => [
    `  - domain: ${zone}`,
    `    file: ${zone}zone`,
    "    acl: edit",
  ]);
  const conf = knotConf({ folder, addresses: [address], port, sections: acl, zones: entries });
  const writable = conf.replace("journal-content: none", "journal-content: changes");
  writeFileSync(join(folder, "knot.conf"), writable);
  for (const [zone, records] of Object.entries(zones))
    writeFileSync(
      join(folder, `${zone}zone`),
      `$ORIGIN ${zone}\n@ 300 IN SOA ns1 h 1 3600 1800 1209600 60\n@ 300 IN NS ns1\nns1 300 IN A ${address}\n${records}\n`,
    );
  const dig = (...query: string[]) =>
    spawnSync(software.dig, [`@${address}`, "-p", String(port), "+short", ...query], {
      encoding: "utf8",
    }).stdout.trim();
  const knot = runDaemon(software.knotd, ["-c", join(folder, "knot.conf")]);
  const stop = async () => {
    await knot.stop();
    rmSync(folder, { recursive: true, force: true });
  };
  const [first = "."] = Object.keys(zones);
  for (let tries = 0; !/^ns1/.test(dig("+tries=1", "+time=1", "SOA", first)); tries += 1) {
    if (tries === TRIES) {
      await stop();
      throw new Error(knot.printed());
    }
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  return {
    address,
    port,
    folder,
    txt: (name) => dig("TXT", name),
    update: (lines) => {
      const input = `server ${address} ${port}\n${lines}\n`;
      const { status, stderr } = spawnSync(software.nsupdate, { input, encoding: "utf8" });
      return { status, stderr };
    },
    stop,
  };
}
