import { ZoneSigner } from "@deed/dns/testing/zone-signer.ts";
import { canonical, closestValue, isWithin, parentOf } from "./names.ts";
import { NameServer } from "./nameserver.ts";
import type { SoaTimes, ZoneRecord } from "./records.ts";
import type { Signing } from "./witness.ts";

export type ZoneSpec = {
  name: string;
  /** Hosts the parent zone delegates to. A host unknown to the playground gets no address. */
  nameservers: string[];
  /** Hosts in the zone's own NS records; default the parent's. */
  ownNameservers?: string[];
  /** Hosts that serve the zone; default all hosts of both lists. */
  servedBy?: string[];
  /** The zone's records, apart from the generated NS records and nameserver addresses. */
  records?: ZoneRecord[];
  /** Seconds; default SOA TTL 300, REFRESH 3600 and MINIMUM 300. */
  times?: Partial<SoaTimes>;
  signing?: Signing;
};

type Copy = { serial: number; records: readonly ZoneRecord[] };
type HostedZone = Required<Omit<ZoneSpec, "records" | "times">> & {
  times: SoaTimes;
  copies: Map<string, Copy>;
  signer: ZoneSigner | null;
};

const TIMES: SoaTimes = { ttl: 300, refresh: 3600, minimum: 300 };
const FIRST_SERIAL = 2026010100;
const NS_TTL = 3600;

/** Every nameserver and zone of the playground, and which server has which copy. */
export class World {
  readonly #servers = new Map<string, { address: string; server: NameServer }>();
  readonly #zones = new Map<string, HostedZone>();
  /** Serials of removed zones, so that a zone added again continues from its last serial. */
  readonly #serials = new Map<string, number>();

  addNameserver(host: string, address: string): NameServer {
    const server = new NameServer();
    this.#servers.set(canonical(host), { address, server });
    for (const entry of this.#zones.values())
      if (isWithin(canonical(host), entry.name)) this.edit(entry.name, (records) => records);
    return server;
  }

  server(host: string): NameServer | undefined {
    return this.#servers.get(canonical(host))?.server;
  }

  servers(): NameServer[] {
    return [...this.#servers.values()].map(({ server }) => server);
  }

  addressOf(host: string): string | undefined {
    return this.#servers.get(canonical(host))?.address;
  }

  addZone(spec: ZoneSpec): void {
    const name = canonical(spec.name);
    if (this.#zones.has(name)) throw new Error(`the playground already has a zone ${name}`);
    const nameservers = spec.nameservers.map(canonical);
    const ownNameservers = (spec.ownNameservers ?? nameservers).map(canonical);
    const servedBy = spec.servedBy?.map(canonical) ?? [
      ...new Set([...nameservers, ...ownNameservers]),
    ];
    const serial = (this.#serials.get(name) ?? FIRST_SERIAL) + 1;
    const entry: HostedZone = {
      name,
      nameservers,
      ownNameservers,
      servedBy,
      times: { ...TIMES, ...spec.times },
      signing: spec.signing ?? "unsigned",
      signer: spec.signing === "signed" ? new ZoneSigner(name || ".") : null,
      copies: new Map(servedBy.map((host) => [host, { serial, records: spec.records ?? [] }])),
    };
    this.#zones.set(name, entry);
    this.#publish(entry);
    this.#publishParentOf(name);
  }

  removeZone(zone: string): void {
    const entry = this.#holding(zone);
    this.#zones.delete(entry.name);
    this.#serials.set(entry.name, newestSerial(entry));
    for (const host of entry.servedBy) this.server(host)?.zones.delete(entry.name);
    this.#publishParentOf(entry.name);
  }

  hasZone(zone: string): boolean {
    return this.#zones.has(canonical(zone));
  }

  /** The zone's delegation and signing. */
  zone(zone: string): Omit<HostedZone, "copies"> {
    const { copies, ...rest } = this.#holding(zone);
    return rest;
  }

  /** The root's key as a trust anchor, in zone-file form. */
  get trustAnchor(): string {
    return `. IN DS ${this.#holding("").signer?.ds}`;
  }

  zoneNames(): string[] {
    return [...this.#zones.keys()];
  }

  /** The contents of one server's copy; default the first server's. */
  copy(zone: string, host?: string): Copy {
    const { copies, name } = this.#holding(zone);
    const copy = host === undefined ? [...copies.values()][0] : copies.get(canonical(host));
    if (!copy) throw new Error(`${host ?? "no server"} does not hold ${name}`);
    return copy;
  }

  /** Replaces the contents of every copy, or of one server's, raising the serial of each copy written. */
  edit(
    zone: string,
    change: (records: readonly ZoneRecord[]) => readonly ZoneRecord[],
    host?: string,
  ): void {
    const entry = this.#holding(zone);
    const hosts = host === undefined ? entry.servedBy : [canonical(host)];
    const newest = newestSerial(entry);
    for (const server of hosts)
      entry.copies.set(server, {
        serial: newest + 1,
        records: change(this.copy(zone, server).records),
      });
    this.#publish(entry);
  }

  #holding(zone: string): HostedZone {
    const entry = this.#zones.get(canonical(zone));
    if (!entry) throw new Error(`the playground has no zone ${zone}`);
    return entry;
  }

  #publishParentOf(zone: string): void {
    if (zone === "") return;
    const parent = closestValue(this.#zones, parentOf(zone));
    if (parent) this.edit(parent.name, (records) => records);
  }

  #publish(entry: HostedZone): void {
    const generated = [
      ...entry.ownNameservers.map((host) => ns(entry.name, host)),
      ...this.#delegationsIn(entry),
      ...this.#addressesIn(entry.name),
    ];
    for (const [host, copy] of entry.copies)
      this.server(host)?.zones.set(entry.name, {
        name: entry.name,
        serial: copy.serial,
        times: entry.times,
        records: [...generated, ...copy.records],
        ...(entry.signer && { signer: entry.signer }),
      });
  }

  #delegationsIn(parent: HostedZone): ZoneRecord[] {
    return [...this.#zones.values()]
      .filter(({ name }) => name !== "" && closestValue(this.#zones, parentOf(name)) === parent)
      .flatMap(({ name, nameservers, signing, signer }) => [
        ...nameservers.map((host) => ns(name, host)),
        ...(signer ? [ds(name, signer.ds)] : []),
        ...(signing === "bogus" ? [ds(name, STALE_DS)] : []),
      ]);
  }

  /** Addresses of the nameservers named within a zone: its own data, or glue below its zone cuts. */
  #addressesIn(zone: string): ZoneRecord[] {
    return [...this.#servers]
      .filter(([host]) => isWithin(host, zone))
      .map(([host, { address }]) => ({ name: host, type: "A", ttl: NS_TTL, data: address }));
  }
}

const newestSerial = ({ copies }: HostedZone): number =>
  Math.max(FIRST_SERIAL, ...[...copies.values()].map(({ serial }) => serial));

const ns = (name: string, data: string): ZoneRecord => ({ name, type: "NS", ttl: NS_TTL, data });

const ds = (name: string, data: string): ZoneRecord => ({ name, type: "DS", ttl: NS_TTL, data });

/** DS data for a key that the zone does not have. */
const STALE_DS = `60485 13 2 ${"0".repeat(64)}`;
