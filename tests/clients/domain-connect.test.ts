import { type ChildProcess, execFileSync, spawn, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { newConnectKey } from "#app/connect-key.server.ts";
import { createOutbound } from "#app/outbound/outbound.server.ts";
import { applyUrl } from "#app/services/connect/apply-url.ts";
import { discoverOffer } from "#app/services/connect/discovery.server.ts";
import { connectSigner } from "#app/services/connect/signer.ts";
import { connectTemplate } from "#app/services/connect/template.ts";
import { recordSnippets } from "#app/services/screens/record-snippets.ts";
import { publishKey } from "../../scripts/playground/connect-key.ts";
import { type Panel, startPanel } from "../../scripts/playground/panel/server.ts";
import { type Playground, startPlayground } from "../../scripts/playground/playground.ts";
import { type Daemon, runDaemon } from "../lab/daemon.ts";
import { knotConf } from "../lab/knot-conf.ts";
import { findSoftware } from "../lab/software.ts";
import { freePort } from "../support/service.ts";
import { findPackages } from "./python.ts";

const PACKAGES = ["domainconnectzone==4.0.0", "domain-connect==0.0.6"];
const OCTODNS = ["octodns==1.4.0", "octodns-bind==0.0.6"];
const python = findPackages("domain-connect", PACKAGES);
const octodns = findPackages("octodns", OCTODNS);
const { software, missing } = findSoftware(["knotd", "nsupdate", "kdig", "named-checkzone"]);
for (const one of [python, octodns]) if ("missing" in one) console.warn(`skipped: ${one.missing}`);
if (missing.length > 0) console.warn(`skipped: there is no ${missing.join(", ")}`);
const canConnect = "python" in python && missing.length === 0;
const canSync = "python" in octodns && missing.length === 0;

const SERVICE = "https://deed.example";
const NAMES = { challengeLabel: "_service-challenge", tokenPrefix: "service_v1_" };
const HEX = "0a".repeat(20);
const KNOT = "127.0.0.3";
const key = newConnectKey();
const connect = connectSigner(key);
const template = connectTemplate({ ...NAMES, baseUrl: SERVICE });

let playground: Playground;
let panel: Panel;
let knot: Daemon;
let knotPort = 0;
const folder = mkdtempSync(join(tmpdir(), "deed-connect-"));

const dig = (name: string) =>
  spawnSync("kdig", [`@${KNOT}`, "-p", String(knotPort), "+short", "TXT", name], {
    encoding: "utf8",
  }).stdout.trim();

beforeAll(async () => {
  playground = await startPlayground();
  publishKey(playground, template.syncPubKeyDomain, connect);
  panel = await startPanel({ playground, serviceUrl: SERVICE, template });
  if (missing.length > 0) return;
  knotPort = await freePort();
  const sections = [
    "acl:",
    "  - id: edit",
    "    address: 127.0.0.0/8",
    "    action: [update, transfer]",
  ];
  const zones = ["  - domain: acme.com", "    file: acme.com.zone", "    acl: edit"];
  const conf = knotConf({ folder, addresses: [KNOT], port: knotPort, sections, zones });
  writeFileSync(
    join(folder, "knot.conf"),
    conf.replace("journal-content: none", "journal-content: changes"),
  );
  writeFileSync(
    join(folder, "acme.com.zone"),
    `acme.com. 300 IN SOA ns1.acme.com. h.acme.com. 1 3600 1800 1209600 60\nacme.com. 300 IN NS ns1.acme.com.\nns1.acme.com. 300 IN A 192.0.2.1\n`,
  );
  knot = runDaemon(software.knotd, ["-c", join(folder, "knot.conf")]);
  for (let tries = 0; tries < 200; tries++) {
    const { stdout } = spawnSync(
      "kdig",
      [`@${KNOT}`, "-p", String(knotPort), "+short", "+retry=0", "+time=1", "SOA", "acme.com"],
      { encoding: "utf8" },
    );
    if (stdout.startsWith("ns1")) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(knot.printed());
});
afterAll(async () => {
  await panel.stop();
  await playground.stop();
  await knot?.stop();
  rmSync(folder, { recursive: true, force: true });
});

const dns = () => {
  const [address = "", port = ""] =
    playground.env.DNS_RESOLVERS.split(",")[0]?.split("=")[1]?.split(":") ?? [];
  return { resolver: address, port: Number(port) };
};

describe.skipIf(!canConnect)("Domain Connect with packages that others wrote", () => {
  const run = "python" in python ? python.python : "";

  it("domain-connect finds the panel, and the panel takes what it signs", async () => {
    const pem = `-----BEGIN PRIVATE KEY-----\n${key}\n-----END PRIVATE KEY-----\n`;
    const asked = {
      ...dns(),
      domain: "shop.acme.com",
      providerId: template.providerId,
      serviceId: template.serviceId,
      returnTo: `${SERVICE}/claims/clm_1/connected`,
      token: HEX,
      key: pem,
      keyLabel: connect.keyLabel,
    };
    const child = spawn(run, ["tests/clients/domain-connect.py", "client", JSON.stringify(asked)], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    let printed = "";
    for await (const chunk of child.stdout) printed += chunk;
    const { sync, root, url } = JSON.parse(printed);
    expect([sync, root]).toEqual([panel.url, "acme.com"]);
    const page = await fetch(url);
    expect([
      page.status,
      (await page.text()).includes(`_service-challenge.shop.acme.com.`),
    ]).toEqual([200, true]);
    expect((await fetch(url.replace("shop", "other"))).status).toBe(403);
  });

  it("domainconnectzone takes the template, checks the signature and adds the record on knot", async () => {
    const given = {
      ...dns(),
      folder,
      template,
      zone: "acme.com",
      records: [],
      knot: KNOT,
      knotPort,
    };
    const child: ChildProcess = spawn(
      run,
      ["tests/clients/domain-connect.py", "provider", JSON.stringify(given)],
      { stdio: ["ignore", "pipe", "inherit"] },
    );
    try {
      const lines = createInterface({ input: child.stdout as NodeJS.ReadableStream });
      const [port] = await new Promise<string[]>((resolve, reject) => {
        lines.on("line", (line) => line.startsWith("port ") && resolve([line.slice(5)]));
        child.once("exit", (code) => reject(new Error(`it ended with ${code}`)));
      });
      const { offer } = await discoverOffer(
        {
          reader: {
            readText: async () => ({ type: "read", values: [`127.0.0.1:${port}`], ttl: 60 }),
          },
          outbound: createOutbound({ allowed: ["127.0.0.0/8"], denied: [] }),
          providerId: template.providerId,
        },
        "acme.com",
      );
      const place = {
        label: NAMES.challengeLabel,
        domain: "shop.acme.com",
        zone: "acme.com",
        token: `service_v1_${HEX}`,
        provider: "other",
      } as const;
      const trip = { returnTo: `${SERVICE}/claims/clm_1/connected`, state: "its+state/=" };
      const url = applyUrl(offer.apply ?? "", place, { ...NAMES, connect }, trip);
      const forged = await fetch(url.replace("token=0a", "token=ff"), { redirect: "manual" });
      expect([forged.status, await forged.json()]).toEqual([
        403,
        { error: expect.stringContaining("InvalidSignature") },
      ]);
      expect(dig("_service-challenge.shop.acme.com")).toBe("");
      expect((await fetch(url, { redirect: "manual" })).status).toBe(302);
      expect(dig("_service-challenge.shop.acme.com")).toBe(`"${place.token}"`);
    } finally {
      child.kill();
    }
  });
});

describe.skipIf(missing.length > 0)("the record for other hands", () => {
  const token = `service_v1_${"1b".repeat(20)}`;
  const snippetsFor = (name: string) => recordSnippets({ name, value: token }, "acme.com", []);

  it("is a line that named-checkzone loads", () => {
    const file = join(folder, "checked.zone");
    const { bind } = snippetsFor("_service-challenge.acme.com");
    writeFileSync(
      file,
      `acme.com. 300 IN SOA ns1 h 1 3600 1800 1209600 60\nacme.com. 300 IN NS ns1.other.example.\n${bind}\n`,
    );
    const dumped = execFileSync(
      software["named-checkzone"],
      ["-D", "-q", "-o", "-", "acme.com", file],
      {
        encoding: "utf8",
      },
    );
    expect(dumped).toMatch(
      new RegExp(`^_service-challenge\\.acme\\.com\\.\\s+300 IN TXT\\s+"${token}"$`, "m"),
    );
  });

  it("is input with which nsupdate adds it on knot", () => {
    const { nsupdate } = snippetsFor("_service-challenge.a.acme.com");
    const input = `server ${KNOT} ${knotPort}\n${nsupdate}\n`;
    expect(spawnSync("nsupdate", { input, encoding: "utf8" })).toMatchObject({
      status: 0,
      stderr: "",
    });
    expect(dig("_service-challenge.a.acme.com")).toBe(`"${token}"`);
  });

  it.skipIf(!canSync)("is an entry that octoDNS applies to knot by its BIND provider", () => {
    mkdirSync(join(folder, "octodns"));
    const root = join(folder, "octodns");
    const { octodns: entry } = snippetsFor("_service-challenge.b.acme.com");
    const apex = recordSnippets({ name: "acme.com", value: token }, "acme.com", []).octodns;
    const ns = `"ns1":\n  type: A\n  ttl: 300\n  value: 192.0.2.1`;
    writeFileSync(join(root, "acme.com.yaml"), `${apex}\n${entry}\n${ns}\n`);
    writeFileSync(
      join(root, "config.yaml"),
      [
        "manager:",
        "  enable_checksum: false",
        "providers:",
        "  config:",
        "    class: octodns.provider.yaml.YamlProvider",
        `    directory: ${root}`,
        "    default_ttl: 300",
        "    enforce_order: false",
        "  knot:",
        "    class: octodns_bind.Rfc2136Provider",
        `    host: ${KNOT}`,
        `    port: ${knotPort}`,
        "zones:",
        "  acme.com.:",
        "    sources: [config]",
        "    targets: [knot]",
        "",
      ].join("\n"),
    );
    const command = "python" in octodns ? octodns.python.replace(/python$/, "octodns-sync") : "";
    const { status, stderr } = spawnSync(
      command,
      [`--config-file=${join(root, "config.yaml")}`, "--doit", "--force"],
      { encoding: "utf8" },
    );
    expect(status, stderr).toBe(0);
    expect(dig("_service-challenge.b.acme.com")).toBe(`"${token}"`);
    expect(dig("acme.com")).toBe(`"${token}"`);
  });
});
