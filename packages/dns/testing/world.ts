import { parseAnchor } from "../dnssec/anchors.ts";
import { createReader } from "../resolve/create-reader.ts";
import type { HttpsRead, Reader, ReaderSettings } from "../resolve/reader.ts";
import type { Decision } from "../verdict/diagnosis.ts";
import type { History } from "../verdict/history.ts";
import { Authority } from "./certificates.ts";
import { resolving } from "./faults.ts";
import { type LabOptions, LabServer } from "./lab-server.ts";
import { delegation, type LabRecord, type LabZone, labZone } from "./lab-zone.ts";
import { HISTORY } from "./observations.ts";
import { decide, progressOf } from "./verdicts.ts";
import { ZoneSigner } from "./zone-signer.ts";

export const LABEL = "_service-challenge";
export const TOKEN = `service_v1_${"0123456789abcdef0123456789abcdef01234567"}`;

/** A separate loopback /24, so that many worlds can run side by side. */
export type Net = { prefix: string; at: (host: number) => string };

/** How a server differs from an honest one, and its zones if they are not the world's. */
export type ServerOptions = LabOptions & { zones?: LabZone[] };

export type WorldSetup = {
  /** Name claimed; default acme.test. */
  domain?: string;
  /** The zone delegated by the TLD; default the domain. */
  zone?: string;
  /** The TLD; default test. */
  tldName?: string;
  /** Records of the zone besides SOA and NS; default the challenge record. */
  records?: LabRecord[];
  /** Nameservers that the TLD lists, with glue; default ns1 at .3 and ns2 at .4. */
  nameservers?: Record<string, string[]>;
  /** Nameservers in the zone's own NS RRset, if different. */
  ownNameservers?: Record<string, string[]>;
  /** How the server at .3, .4, … differs from an honest one. */
  servers?: Record<number, ServerOptions>;
  root?: LabOptions;
  tld?: ServerOptions & { records?: LabRecord[] };
  /** Networks that may be asked besides the world's own. */
  allow?: string[];
  /** Nameservers that earlier reads found delegated. */
  former?: string[];
  history?: Partial<History>;
  patience?: number;
  /** The reader's clock, epoch milliseconds; default the current time. */
  now?: number;
  /** Signs the root and the TLD "test"; `signer` signs the zone, whose DS records are the TLD's `records`. */
  signed?: boolean;
  signer?: ZoneSigner;
  /** Behaviour of the three witnesses, or an empty array for none. */
  witnesses?: LabOptions[];
  /** For a claim that signatures alone may prove; left out: they may not. */
  overHttps?: HttpsRead;
  /** Default: as in the service. */
  packetsPerAddress?: { count: number; seconds: number }[];
  /** Transport to the witnesses; default UDP and TCP. */
  secure?: "tls" | "https";
  /** Subject of the witnesses' certificates; default their addresses. */
  certified?: string;
};

/** Processes of tests have different ones. */
export const PORT = 10_000 + (process.pid % 10_000);
const PATHS = { tls: "", https: "/dns-query" };
let authority: Authority | null = null;

/** A root (.1), the TLD (.2), a zone's nameservers (.3 and up) and witnesses (.20 and up). */
export class World {
  private readonly servers: LabServer[];
  readonly settings: ReaderSettings;
  readonly reader: Reader;
  readonly domain: string;

  constructor(
    private readonly setup: WorldSetup,
    private readonly net: Net,
    private readonly port = PORT,
  ) {
    const { domain = "acme.test", tldName = "test", secure, witnesses = [{}, {}, {}] } = setup;
    const { zone = domain, records = [{ name: `${LABEL}.${domain}`, type: "TXT", data: TOKEN }] } =
      setup;
    this.domain = domain;
    const listed = setup.nameservers ?? {
      [`ns1.${zone}`]: [net.at(3)],
      [`ns2.${zone}`]: [net.at(4)],
    };
    const [rootSigner, tldSigner] = setup.signed
      ? [new ZoneSigner("."), new ZoneSigner("test")]
      : [];
    const by = (one: LabZone, signer?: ZoneSigner) => (signer ? { ...one, signer } : one);
    const registry = { "ns.test": [net.at(2)] };
    const own = by(labZone(zone, setup.ownNameservers ?? listed, records), setup.signer);
    const inTld = [...delegation(zone, listed), ...(setup.tld?.records ?? [])];
    const tld = by(labZone(tldName, registry, inTld), tldSigner);
    const ds = tldSigner ? [{ name: "test", type: "DS" as const, data: tldSigner.ds }] : [];
    const inRoot = [...delegation(tldName, registry), ...ds];
    const root = by(labZone(".", { "a.root": [net.at(1)] }, inRoot), rootSigner);
    const anchor = rootSigner && parseAnchor(`. IN DS ${rootSigner.ds}`);
    const authorities = { 3: {}, 4: {}, ...setup.servers };
    if (secure) authority ??= new Authority();
    const certificate =
      secure &&
      authority?.issue([setup.certified ?? witnesses.map((_, at) => net.at(20 + at))].flat());
    this.servers = [
      new LabServer(net.at(1), [root], setup.root),
      new LabServer(net.at(2), [tld, ...(setup.tld?.zones ?? [])], setup.tld),
      ...Object.entries(authorities).map(
        ([host, server]: [string, ServerOptions]) =>
          new LabServer(net.at(Number(host)), server.zones ?? [own], server),
      ),
      ...witnesses.map(
        (options, index) =>
          new LabServer(net.at(20 + index), setup.signed ? [own, tld, root] : [own], {
            behaviour: resolving,
            ...(secure && certificate ? { secure: { transport: secure, certificate } } : {}),
            ...options,
          }),
      ),
    ];
    this.settings = {
      rootHints: [{ host: "a.root", addresses: [net.at(1)] }],
      trustAnchors: anchor ? [anchor] : [],
      witnesses: witnesses.map((_, index) => ({
        name: `witness${index + 1}`,
        address: net.at(20 + index),
        port,
        ...(secure ? { secure: { transport: secure, host: null, path: PATHS[secure] } } : {}),
      })),
      ...(authority ? { authorities: [authority.cert] } : {}),
      allowAddresses: [`${net.prefix}.0/24`, ...(setup.allow ?? [])],
      port,
      patience: setup.patience,
      ...(setup.packetsPerAddress && { packetsPerAddress: setup.packetsPerAddress }),
      ...(setup.now === undefined ? {} : { clock: () => setup.now ?? 0 }),
    };
    this.reader = createReader(this.settings);
  }

  async open(): Promise<void> {
    await Promise.all(this.servers.map((server) => server.listen(this.port)));
  }

  private at(host: number) {
    return this.servers.find((server) => server.address === this.net.at(host));
  }

  /** Packets that reached the server at `.host`. */
  seenBy = (host: number) => this.at(host)?.seen ?? 0;

  openAt = (host: number) => this.at(host)?.open ?? 0;

  /** `second`: the decision if the second read sees the same; for reads that need a second one. */
  async read() {
    const started = performance.now();
    const question = {
      domain: this.domain,
      label: LABEL,
      token: TOKEN,
      formerNameservers: () => this.setup.former ?? [],
      ...(this.setup.overHttps && { overHttps: this.setup.overHttps }),
    };
    const seen = await this.reader.readChallenge(question, new AbortController().signal);
    const tookMs = Math.round(performance.now() - started);
    const history: History = { ...HISTORY, ...this.setup.history };
    const decision = decide(seen, history);
    const { secondReadAt } = progressOf(seen, history);
    const again = secondReadAt === null ? null : { ...seen, at: secondReadAt };
    const second = again && decide(again, { ...history, secondReadAt });
    return { seen, history, decision, second, tookMs };
  }

  close(): void {
    this.reader.close();
    for (const server of this.servers) server.close();
  }
}

/** What `use` finds in a world that is open for it alone. */
export async function inWorld<T>(
  setup: WorldSetup,
  net: Net,
  use: (world: World) => Promise<T>,
  port = PORT,
): Promise<T> {
  const world = new World(setup, net, port);
  await world.open();
  try {
    return await use(world);
  } finally {
    world.close();
  }
}

/** A decision in a few words: the outcome, and the code or reason. */
export function describeDecision(decision: Decision): string {
  if (decision.outcome !== "absent") return decision.outcome;
  return `absent ${decision.diagnosis?.code ?? decision.wait?.reason}`;
}

/** The `index`th of 4,096 loopback networks. */
export function netOf(index: number): Net {
  const prefix = `127.${100 + (index >> 8)}.${index & 255}`;
  return { prefix, at: (host) => `${prefix}.${host}` };
}
