import { isAtOrBelow } from "../names.ts";
import type { Soa } from "../protocol.ts";
import type { TxtAnswer } from "../verdict/observation.ts";
import { canonicalAddress } from "../wire/address.ts";
import type { Message } from "../wire/message.ts";

/** The answer of a message to TXT at `name`. Ignores records of other names, such as those behind an alias. */
export function txtAnswer(message: Message, name: string): TxtAnswer {
  const values: string[] = [];
  let ttl: number | null = null;
  let alias: TxtAnswer["alias"] = null;
  for (const record of message.answers) {
    if (record.type === "TXT" && record.name === name) {
      values.push(record.value);
      ttl = ttl === null ? record.ttl : Math.min(ttl, record.ttl);
    } else if (record.type === "CNAME" && record.name === name) {
      // A DNAME comes with a synthesised CNAME; the DNAME is the cause.
      alias ??= { type: "CNAME", name, target: record.target };
    } else if (record.type === "DNAME" && isAtOrBelow(name, record.name)) {
      alias = { type: "DNAME", name: record.name, target: record.target };
    }
  }
  return { rcode: message.rcode, values, ttl, alias, soa: soaOf(message) };
}

/** The SOA of a negative answer or of an answer to SOA. */
export function soaOf(message: Message): Soa | null {
  for (const section of [message.authorities, message.answers]) {
    for (const record of section) if (record.type === "SOA") return record.soa;
  }
  return null;
}

/** The addresses of one family that the answer gives for `host`. */
export function addressesIn(message: Message, host: string, type: "A" | "AAAA"): string[] {
  return message.answers.flatMap((record) =>
    record.type === type && record.name === host ? (canonicalAddress(record.address) ?? []) : [],
  );
}
