import { isIPv6 } from "node:net";
import { isAtOrBelow } from "../names.ts";
import type { Control, Observation } from "../verdict/observation.ts";
import { hasToken, isAnswered } from "../verdict/publication-status.ts";
import type { Question } from "../wire/message.ts";
import {
  addressesIn,
  askAuthority,
  askForMessage,
  MAX_KNOWN_ADDRESSES,
  nameserversIn,
  soaOf,
} from "./authority.ts";
import type { ExchangeOptions } from "./exchange.ts";
import type { Read } from "./read.ts";
import type { Endpoint } from "./reader.ts";
import { walk } from "./walk.ts";

/** Failures with several causes; control questions show which. */
const DOUBTFUL = new Set(["timeout", "refused", "servfail", "not_authoritative", "malformed"]);
/** A silent server takes two questions, each sent twice. */
const SILENT_PACKETS = 4;
/** Packets that are left to the witnesses, which are asked at the same time. */
const RESERVED_PACKETS = 18;

/** Asks control questions if no server has the record, all fail or a wildcard answers, and enough packets are left. */
export async function askControls(read: Read, seen: Observation): Promise<void> {
  if (seen.delegation.type !== "delegated") return;
  const { zone } = seen.delegation;
  const isFailing = !seen.servers.some(({ result }) => result === "answered");
  const doubtful = seen.servers.filter(({ result, address }) =>
    isFailing ? DOUBTFUL.has(result) && address !== null : typeof seen.wildcard === "string",
  );
  if (isFailing && doubtful.length * SILENT_PACKETS + RESERVED_PACKETS > read.packetsLeft) return;
  const controlOf = async (server: Endpoint): Promise<Control> => {
    let owner: string | null = null;
    const ask = async (question: Question, options?: ExchangeOptions) => {
      const reply = await askAuthority(read, zone, server, question, options);
      if ("failure" in reply) return reply.failure;
      if (question.type === "SOA") owner = soaOf(reply.message)?.zone ?? null;
      return reply.referral ? "not_authoritative" : "answered";
    };
    const address = { name: seen.challengeName, type: "A" } as const;
    const [soa, plain] = await Promise.all([
      ask({ name: zone, type: "SOA" }),
      isFailing ? ask(address, { asGiven: true, plain: true }) : null,
    ]);
    return { soa, owner, plain };
  };
  seen.servers = await Promise.all(
    seen.servers.map(async (server) => {
      const { host, address } = server;
      if (address === null || !doubtful.includes(server)) return server;
      const control = await controlOf({ host, address });
      // A question that one of our own limits cut short says nothing about the server.
      return read.isOver ? server : { ...server, control };
    }),
  );
}

/** If servers disagree or all fail, asks each for its nameservers, and for the addresses of those without the token. */
export async function compareServers(read: Read, seen: Observation): Promise<void> {
  if (seen.delegation.type !== "delegated") return;
  const { zone } = seen.delegation;
  const withRecord = seen.servers.filter(({ answer }) => hasToken(answer, seen.token));
  const [holder] = withRecord.flatMap(({ host, address }) => (address ? { host, address } : []));
  seen.servers = await Promise.all(
    seen.servers.map(async (server) => {
      const { host, address } = server;
      if (address === null) return server;
      if (holder && isAnswered(server)) {
        const ns = { name: zone, type: "NS" } as const;
        const message = await askForMessage(read, zone, { host, address }, ns);
        if (message) server.listed = nameserversIn(message, zone);
      }
      // Without a server that has the record, nobody can know the address of a host inside the zone.
      const isKnown = holder !== undefined || !isAtOrBelow(host, zone);
      if (withRecord.includes(server) || !isKnown || !read.glue.get(host)?.includes(address))
        return server;
      const type = isIPv6(address) ? "AAAA" : "A";
      const message = holder
        ? await askForMessage(read, zone, holder, { name: host, type })
        : (await walk(read, host, type, { isGlueEnough: false })).answer?.message;
      const ownAddresses = message ? addressesIn(message, host, type) : [];
      const isStale = ownAddresses.length > 0 && !ownAddresses.includes(address);
      return isStale ? { ...server, own: ownAddresses.slice(0, MAX_KNOWN_ADDRESSES) } : server;
    }),
  );
}
