import { type ChildProcess, spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { afterAll, beforeAll, expect, it } from "vitest";
import { newConnectKey } from "#app/connect-key.server.ts";
import { createOutbound } from "#app/outbound/outbound.server.ts";
import { applyUrl } from "#app/services/connect/apply-url.ts";
import { discoverOffer } from "#app/services/connect/discovery.server.ts";
import { connectSigner } from "#app/services/connect/signer.ts";
import { connectTemplate } from "#app/services/connect/template.ts";
import { publishKey } from "../../scripts/playground/connect-key.ts";
import { type Panel, startPanel } from "../../scripts/playground/panel/server.ts";
import { type Playground, startPlayground } from "../../scripts/playground/playground.ts";
import { describeKnot, type KnotZones, startKnotZones } from "./knot-zones.ts";
import { findPackages } from "./python.ts";

const python = findPackages("domain-connect", [
  "domainconnectzone==4.0.0",
  "domain-connect==0.0.6",
]);

const SERVICE = "https://deed.example";
const NAMES = { challengeLabel: "_service-challenge", tokenPrefix: "service_v1_" };
const HEX = "0a".repeat(20);
const key = newConnectKey();
const connect = connectSigner(key);
const template = connectTemplate({ ...NAMES, baseUrl: SERVICE });

let playground: Playground;
let panel: Panel;
let knot: KnotZones;

const dns = () => {
  const [address = "", port = ""] =
    playground.env.DNS_RESOLVERS.split(",")[0]?.split("=")[1]?.split(":") ?? [];
  return { resolver: address, port: Number(port) };
};

describeKnot("Domain Connect with packages that others wrote", () => {
  const run = python ?? "";
  beforeAll(async () => {
    playground = await startPlayground();
    publishKey(playground, template.syncPubKeyDomain, connect);
    panel = await startPanel({ playground, serviceUrl: SERVICE, template });
    knot = await startKnotZones({ "acme.com.": "" }, "127.0.0.3");
  });
  afterAll(async () => {
    await panel.stop();
    await playground.stop();
    await knot.stop();
  });

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
      folder: knot.folder,
      template,
      zone: "acme.com",
      records: [],
      knot: knot.address,
      knotPort: knot.port,
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
      expect(knot.txt("_service-challenge.shop.acme.com")).toBe("");
      expect((await fetch(url, { redirect: "manual" })).status).toBe(302);
      expect(knot.txt("_service-challenge.shop.acme.com")).toBe(`"${place.token}"`);
    } finally {
      child.kill();
    }
  });
});
