import type { Answer, DecodedPacket } from "dns-packet";
import { ask, type Endpoint } from "./client.ts";
import { canonical, isWithin } from "./names.ts";

/** The result of a walk from the root: the authoritative answer, including the alias chain. */
export type Resolution = {
  rcode: "NOERROR" | "NXDOMAIN" | "SERVFAIL";
  answers: Answer[];
  /** From a negative answer. */
  soa: Answer | null;
  /** The zones whose data the answer depends on. */
  zones: string[];
};

const MAX_REFERRALS = 16;
const MAX_ALIASES = 8;
const MAX_DEPTH = 4;
const RCODE_BITS = 0x0f;

const failure = (zones: string[]): Resolution => ({
  rcode: "SERVFAIL",
  answers: [],
  soa: null,
  zones,
});

const ofType = (records: Answer[] | undefined, type: string) =>
  (records ?? []).filter((record) => record.type === type);

const textOf = (record: Answer): string =>
  "data" in record && typeof record.data === "string" ? canonical(record.data) : "";

const ownerOf = (record: Answer): string => canonical(record.name === "." ? "" : record.name);

/** Resolves a name by walking from the root servers to its authoritative servers. Caches nothing. */
export class Recursion {
  readonly #roots: string[];
  readonly #port: number;

  constructor(roots: string[], port: number) {
    this.#roots = roots;
    this.#port = port;
  }

  async resolve(name: string, type: string, depth = 0): Promise<Resolution> {
    const answers: Answer[] = [];
    const zones: string[] = [];
    let target = canonical(name);
    for (let step = 0; step < MAX_ALIASES; step++) {
      const { packet, zone } = await this.#walk(target, type, depth);
      zones.push(zone);
      if (!packet) return failure(zones);
      answers.push(...(packet.answers ?? []));
      const rcode = (packet.flags ?? 0) & RCODE_BITS;
      const end = this.#chase(packet, target);
      const complete = ofType(packet.answers, type).some((record) => ownerOf(record) === end);
      if (rcode !== 0 || complete || end === target || type === "CNAME") {
        const soa = complete ? null : (ofType(packet.authorities, "SOA")[0] ?? null);
        return { rcode: rcode === 3 ? "NXDOMAIN" : "NOERROR", answers, soa, zones };
      }
      target = end;
    }
    return failure(zones);
  }

  /** The name at the end of the answer's alias chain. */
  #chase(packet: DecodedPacket, from: string): string {
    let name = from;
    for (let step = 0; step < MAX_ALIASES; step++) {
      const alias = ofType(packet.answers, "CNAME").find((record) => ownerOf(record) === name);
      if (!alias) return name;
      name = textOf(alias);
    }
    return name;
  }

  async #walk(name: string, type: string, depth: number) {
    let addresses = this.#roots;
    let zone = "";
    for (let step = 0; step < MAX_REFERRALS; step++) {
      const packet = await this.#askAny(addresses, { name, type });
      const delegation = ofType(packet?.authorities, "NS");
      const child = delegation[0] ? ownerOf(delegation[0]) : zone;
      const isReferral = packet && !packet.flag_aa && child.length > zone.length;
      if (!isReferral || !isWithin(name, child))
        return { packet: packet?.flag_aa ? packet : null, zone };
      zone = child;
      addresses = await this.#addresses(delegation.map(textOf), packet, depth);
    }
    return { packet: null, zone };
  }

  async #addresses(hosts: string[], packet: DecodedPacket, depth: number): Promise<string[]> {
    const glue = ofType(packet.additionals, "A").filter((record) =>
      hosts.includes(ownerOf(record)),
    );
    if (glue.length > 0) return glue.map(textOf);
    if (depth >= MAX_DEPTH) return [];
    const resolutions = await Promise.all(hosts.map((host) => this.resolve(host, "A", depth + 1)));
    return resolutions.flatMap(({ answers }) => ofType(answers, "A").map(textOf));
  }

  /** The first usable answer, authoritative or a referral, trying the addresses in order. */
  async #askAny(addresses: string[], question: { name: string; type: string }) {
    for (const address of addresses) {
      const server: Endpoint = { address, port: this.#port };
      const packet = await ask(server, question);
      const rcode = (packet?.flags ?? 0) & RCODE_BITS;
      if (packet && (rcode === 0 || rcode === 3)) return packet;
    }
    return null;
  }
}
