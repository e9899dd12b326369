import { mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { runDaemon } from "../../../../tests/lab/daemon.ts";
import { knotConf } from "../../../../tests/lab/knot-conf.ts";
import { buildQuery, type Question } from "../../wire/message.ts";
import { askOverTcp } from "../../wire/transport.ts";
import { askedOf, CASES, type Case, LABEL, TLDS, tokenOf, zoneOf, zonesOf } from "./cases.ts";
import { type Signed, signByBind, signByKnot, type Unsigned } from "./sign.ts";

export const ADDRESS = "127.0.46.1";

/** Every zone of the cases, signed and served by one knotd. `anchors`: the root's DS records. */
export type World = {
  folder: string;
  port: number;
  anchors: string[];
  fileOf(zone: string): string;
  ask(question: Question): Promise<Uint8Array>;
  stop(): Promise<void>;
};

const head = (zone: string) => [
  `$ORIGIN ${zone === "." ? "." : `${zone}.`}`,
  "$TTL 300",
  "@ SOA ns.test. admin.test. 1 3600 600 86400 300",
  "@ NS ns.test.",
];
const sign = (base: string, signer: "bind" | "knot", zone: Unsigned): Promise<Signed> =>
  signer === "bind" ? signByBind(base, zone) : signByKnot(base, zone);

/** The records of a case's zone. One is forged after it was signed: `record-forged`. */
async function leaf(base: string, one: Case): Promise<Signed> {
  const lines = one.records ?? [`${LABEL} TXT %`, "www A 192.0.2.2"];
  const value = JSON.stringify(tokenOf(one));
  const text = [...head(zoneOf(one)), ...lines.map((line) => line.replace("%", value)), ""].join(
    "\n",
  );
  if (one.signer === null) return { text, ds: [] };
  const signed = await sign(base, one.signer, { ...one, zone: zoneOf(one), text });
  const kept = signed.text.split("\n").filter((line) => !one.without?.test(line));
  const forged =
    one.name === "record-forged" ? kept.join("\n").replace("token-of", "token-Of") : null;
  return { text: forged ?? kept.join("\n"), ds: signed.ds };
}

export async function startWorld(port: number): Promise<World> {
  const folder = await mkdtemp(join(tmpdir(), "dnssec-"));
  const files = new Map<string, string>();
  const put = async (zone: string, text: string) => {
    const file = zone === "." ? "root.zone" : `${zone}.zone`;
    await writeFile(join(folder, file), text);
    files.set(zone, join(folder, file));
  };
  const delegations = new Map<string, string[]>();
  for (const one of CASES) {
    const { text, ds } = await leaf(folder, one);
    await put(zoneOf(one), text);
    const lines = (one.ds ?? ((all: string[]) => all))(ds).map(
      (rdata) => `${one.name} DS ${rdata}`,
    );
    const above = delegations.get(one.parent) ?? [];
    delegations.set(one.parent, [...above, `${one.name} NS ns.test.`, ...lines]);
  }
  for (const tld of TLDS) {
    const lines = delegations.get(tld.name) ?? [];
    const address = tld.name === "test" ? ["ns A 127.0.46.1"] : [];
    const text = [...head(tld.name), ...address, ...lines, ""].join("\n");
    const signed = await sign(folder, tld.signer, { ...tld, zone: tld.name, text });
    await put(tld.name, signed.text);
    const above = tld.name.endsWith(".test") ? "test" : ".";
    const entry = [
      `${tld.name}. NS ns.test.`,
      ...signed.ds.map((rdata) => `${tld.name}. DS ${rdata}`),
    ];
    delegations.set(above, [...(delegations.get(above) ?? []), ...entry]);
  }
  const keys = (["KSK", "KSK", "ZSK"] as const).map((role) => ({ role, algorithm: 8 }));
  const text = [...head("."), "ns.test. A 127.0.46.1", ...(delegations.get(".") ?? []), ""].join(
    "\n",
  );
  const root = await signByBind(folder, { zone: ".", text, algorithm: 8, keys });
  await put(".", root.text);
  const zones = [...files].flatMap(([zone, file]) => [`  - domain: ${zone}`, `    file: ${file}`]);
  const conf = join(folder, "knot.conf");
  await writeFile(conf, knotConf({ folder, addresses: [ADDRESS], port, zones }));
  const daemon = runDaemon("knotd", ["-c", conf]);
  const ask = async (question: Question) => {
    const query = buildQuery(question, { dnssec: true });
    const target = { address: ADDRESS, port };
    const reply = await askOverTcp(query, target, 3_000, new AbortController().signal);
    if (reply.type !== "answer")
      throw new Error(`${question.name}: ${reply.failure} ${daemon.printed()}`);
    return new Uint8Array(reply.bytes);
  };
  for (let tries = 0; ; tries += 1) {
    const isUp = await ask({ name: ".", type: "SOA" }).then(
      () => true,
      () => false,
    );
    if (isUp) break;
    if (tries > 50) throw new Error(daemon.printed());
    await sleep(200);
  }
  const anchors = root.ds.map((rdata) => `. IN DS ${rdata}`);
  return { folder, port, anchors, fileOf: (zone) => files.get(zone) ?? "", ask, stop: daemon.stop };
}

/** The questions of a case: keys and DS of each zone from the root down, and the TXT record. */
export function questionsOf(one: Case): Question[] {
  const zones = zonesOf(one);
  return [
    ...zones.flatMap((name, index): Question[] => [
      ...(index > 0 ? [{ name, type: "DS" } as const] : []),
      { name, type: "DNSKEY" },
    ]),
    { name: askedOf(one), type: "TXT" },
    ...(one.also ?? []).map((name) => ({ name: `${name}.${zoneOf(one)}`, type: "TXT" }) as const),
  ];
}
