import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { recordSnippets } from "#app/features/claim-page/record-texts.ts";
import { type Daemon, runDaemon } from "../lab/daemon.ts";
import { knotConf } from "../lab/knot-conf.ts";
import { findSoftware } from "../lab/software.ts";
import { lacks } from "../support/lacks.ts";
import { freePort, newFolder } from "../support/service.ts";
import { findPackages } from "./python.ts";

const PROGRAMS = ["knotd", "nsupdate", "dig"] as const;
const ADDRESS = "127.0.0.3";
const octodns = findPackages("octodns", ["octodns==1.4.0", "octodns-bind==0.0.6"]);

const token = `service_v1_${"1b".repeat(20)}`;
const snippetsFor = (name: string) => recordSnippets({ name, value: token }, "acme.com", []);

/** octoDNS's configuration: a folder of zones in YAML, and knot as where they go. */
const octodnsConfig = (folder: string, port: number) => `manager:
  enable_checksum: false
providers:
  config:
    class: octodns.provider.yaml.YamlProvider
    directory: ${folder}
    default_ttl: 300
    enforce_order: false
  knot:
    class: octodns_bind.Rfc2136Provider
    host: ${ADDRESS}
    port: ${port}
zones:
  acme.com.:
    sources: [config]
    targets: [knot]
`;

const zoneText = (records: string) =>
  `acme.com. 300 IN SOA ns1 h 1 3600 1800 1209600 60\n${records}\n`;

describe.skipIf(lacks(...PROGRAMS))("the record for other hands", () => {
  let folder: string;
  let port: number;
  let knot: Daemon;
  const txtAt = (name: string) => dig("TXT", name);
  const dig = (...query: string[]) => {
    const at = [`@${ADDRESS}`, "-p", String(port), "+short", "+tries=1", "+time=1"];
    return spawnSync(findSoftware(PROGRAMS).software.dig, [...at, ...query], {
      encoding: "utf8",
    }).stdout.trim();
  };
  beforeAll(async () => {
    folder = newFolder();
    port = await freePort();
    const sections = [
      "acl:",
      "  - id: edit",
      "    address: 127.0.0.0/8",
      "    action: [update, transfer]",
    ];
    const zones = ["  - domain: acme.com.", "    file: acme.com.zone", "    acl: edit"];
    const conf = knotConf({ folder, addresses: [ADDRESS], port, sections, zones });
    const writable = conf.replace("journal-content: none", "journal-content: changes");
    writeFileSync(join(folder, "knot.conf"), writable);
    const records = `$ORIGIN acme.com.\n@ 300 IN NS ns1\nns1 300 IN A ${ADDRESS}`;
    writeFileSync(join(folder, "acme.com.zone"), zoneText(records));
    knot = runDaemon(findSoftware(PROGRAMS).software.knotd, ["-c", join(folder, "knot.conf")]);
    const giveUpAt = Date.now() + 20_000;
    while (!dig("SOA", "acme.com.").startsWith("ns1")) {
      if (Date.now() > giveUpAt) throw new Error(`knotd did not come up:\n${knot.printed()}`);
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  });
  afterAll(() => knot.stop());

  it.skipIf(lacks("named-checkzone"))("is a line that named-checkzone loads", () => {
    const file = join(folder, "checked.zone");
    const { bind } = snippetsFor("_service-challenge.acme.com");
    writeFileSync(file, zoneText(`acme.com. 300 IN NS ns1.other.example.\n${bind}`));
    const args = ["-D", "-q", "-o", "-", "acme.com", file];
    const dumped = execFileSync("named-checkzone", args, { encoding: "utf8" });
    expect(dumped).toMatch(
      new RegExp(`^_service-challenge\\.acme\\.com\\.\\s+300 IN TXT\\s+"${token}"$`, "m"),
    );
  });

  it("is input with which nsupdate adds it on knot", () => {
    const { nsupdate } = snippetsFor("_service-challenge.a.acme.com");
    const input = `server ${ADDRESS} ${port}\n${nsupdate}\n`;
    const program = findSoftware(PROGRAMS).software.nsupdate;
    const { status, stderr } = spawnSync(program, { input, encoding: "utf8" });
    expect([status, stderr]).toEqual([0, ""]);
    expect(txtAt("_service-challenge.a.acme.com")).toBe(`"${token}"`);
  });

  it.skipIf(!octodns)("is an entry that octoDNS applies by its BIND provider", () => {
    const source = join(folder, "octodns");
    mkdirSync(source);
    const { octodns: entry } = snippetsFor("_service-challenge.b.acme.com");
    const apex = recordSnippets({ name: "acme.com", value: token }, "acme.com", []).octodns;
    const ns = `"ns1":\n  type: A\n  ttl: 300\n  value: ${ADDRESS}`;
    writeFileSync(join(source, "acme.com.yaml"), `${apex}\n${entry}\n${ns}\n`);
    const config = join(folder, "octodns.yaml");
    writeFileSync(config, octodnsConfig(source, port));
    const command = octodns?.replace(/python$/, "octodns-sync") ?? "";
    const args = [`--config-file=${config}`, "--doit", "--force"];
    const { status, stderr } = spawnSync(command, args, { encoding: "utf8" });
    expect(status, stderr).toBe(0);
    expect(txtAt("_service-challenge.b.acme.com")).toBe(`"${token}"`);
    expect(txtAt("acme.com")).toBe(`"${token}"`);
  });
});
