import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { recordSnippets } from "#app/features/claims/view/record-snippets.ts";
import { lacks } from "../support/lacks.ts";
import { describeKnot, type KnotZones, startKnotZones } from "./knot-zones.ts";
import { findPackages } from "./python.ts";

const octodns = findPackages("octodns", ["octodns==1.4.0", "octodns-bind==0.0.6"]);

const token = `service_v1_${"1b".repeat(20)}`;
const snippetsFor = (name: string) => recordSnippets({ name, value: token }, "acme.com", []);

/** octoDNS's configuration: a folder of zones in YAML, and knot as where they go. */
const octodnsConfig = (folder: string, { address, port }: KnotZones) => `manager:
  enable_checksum: false
providers:
  config:
    class: octodns.provider.yaml.YamlProvider
    directory: ${folder}
    default_ttl: 300
    enforce_order: false
  knot:
    class: octodns_bind.Rfc2136Provider
    host: ${address}
    port: ${port}
zones:
  acme.com.:
    sources: [config]
    targets: [knot]
`;

describeKnot("the record for other hands", () => {
  let knot: KnotZones;
  beforeAll(async () => {
    knot = await startKnotZones({ "acme.com.": "" }, "127.0.0.3");
  });
  afterAll(() => knot.stop());

  it.skipIf(lacks("named-checkzone"))("is a line that named-checkzone loads", () => {
    const file = join(knot.folder, "checked.zone");
    const { bind } = snippetsFor("_service-challenge.acme.com");
    writeFileSync(
      file,
      `acme.com. 300 IN SOA ns1 h 1 3600 1800 1209600 60\nacme.com. 300 IN NS ns1.other.example.\n${bind}\n`,
    );
    const args = ["-D", "-q", "-o", "-", "acme.com", file];
    const dumped = execFileSync("named-checkzone", args, { encoding: "utf8" });
    expect(dumped).toMatch(
      new RegExp(`^_service-challenge\\.acme\\.com\\.\\s+300 IN TXT\\s+"${token}"$`, "m"),
    );
  });

  it("is input with which nsupdate adds it on knot", () => {
    const { nsupdate } = snippetsFor("_service-challenge.a.acme.com");
    expect(knot.update(nsupdate)).toEqual({ status: 0, stderr: "" });
    expect(knot.txt("_service-challenge.a.acme.com")).toBe(`"${token}"`);
  });

  it.skipIf(!octodns)("is an entry that octoDNS applies by its BIND provider", () => {
    const folder = join(knot.folder, "octodns");
    mkdirSync(folder);
    const { octodns: entry } = snippetsFor("_service-challenge.b.acme.com");
    const apex = recordSnippets({ name: "acme.com", value: token }, "acme.com", []).octodns;
    const ns = `"ns1":\n  type: A\n  ttl: 300\n  value: ${knot.address}`;
    writeFileSync(join(folder, "acme.com.yaml"), `${apex}\n${entry}\n${ns}\n`);
    const config = join(knot.folder, "octodns.yaml");
    writeFileSync(config, octodnsConfig(folder, knot));
    const command = octodns?.replace(/python$/, "octodns-sync") ?? "";
    const args = [`--config-file=${config}`, "--doit", "--force"];
    const { status, stderr } = spawnSync(command, args, { encoding: "utf8" });
    expect(status, stderr).toBe(0);
    expect(knot.txt("_service-challenge.b.acme.com")).toBe(`"${token}"`);
    expect(knot.txt("acme.com")).toBe(`"${token}"`);
  });
});
