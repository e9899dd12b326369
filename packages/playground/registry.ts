import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { TLDS } from "./samples.ts";
import type { World } from "./world.ts";

/** What the registry says about a name, besides the delegation that its servers publish. */
export type RegistryEntry = {
  status?: string[];
  /** ISO 8601. */
  registration?: string;
  /** ISO 8601. */
  expiration?: string;
  nameservers?: string[];
};

/** An RDAP server for every suffix of the playground. */
export type Registry = {
  url: string;
  /** The names in the questions, in order. */
  askedNames: string[];
  /** Sets the answer for a name; null for an answer from its delegation. */
  register(name: string, entry: RegistryEntry | null): void;
  stop(): Promise<void>;
};

const CONTENT_TYPE = { "Content-Type": "application/rdap+json" };

/** A bootstrap file (RFC 9224) that leads to `url`. */
export const bootstrapOf = (url: string): string =>
  JSON.stringify({ version: "1.0", services: [[TLDS.map(({ zone }) => zone), [url]]] });

/** Starts an RDAP server on loopback that knows the zones of `world`. */
export async function startRegistry(world: Pick<World, "hasZone" | "zone">): Promise<Registry> {
  const entries = new Map<string, RegistryEntry>();
  const askedNames: string[] = [];

  function domainObject(name: string) {
    const entry = entries.get(name) ?? {};
    const { status = ["active"], registration = "2019-03-04T09:00:00Z" } = entry;
    const { expiration, nameservers } = entry;
    const dates = Object.entries({ registration, expiration });
    const hosts = nameservers ?? (world.hasZone(name) ? world.zone(name).nameservers : []);
    return {
      objectClassName: "domain",
      ldhName: name.toUpperCase(),
      status,
      events: dates.flatMap(([eventAction, eventDate]) =>
        eventDate ? [{ eventAction, eventDate }] : [],
      ),
      nameservers: hosts.map((host) => ({ objectClassName: "nameserver", ldhName: host })),
      secureDNS: {
        delegationSigned: world.hasZone(name) && world.zone(name).signing !== "unsigned",
      },
    };
  }

  const server = createServer((request, response) => {
    const [, name = ""] = /^\/domain\/([^/]+)$/.exec(request.url ?? "") ?? [];
    askedNames.push(name);
    const isKnown = entries.has(name) || world.hasZone(name);
    response
      .writeHead(isKnown ? 200 : 404, CONTENT_TYPE)
      .end(JSON.stringify(isKnown ? domainObject(name) : { errorCode: 404 }));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    askedNames: askedNames,
    register: (name, entry) => {
      if (entry) entries.set(name, entry);
      else entries.delete(name);
    },
    stop: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
