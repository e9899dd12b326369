import type { OptAnswer } from "dns-packet";
import { encodeAnswer, type LabBehaviour, type LabQuery, type LabServer } from "./lab-server.ts";
import { empty, type LabAnswer, toAnswer } from "./lab-zone.ts";

export const TRUNCATED = 0x200;

export const silent: LabBehaviour = () => [];

/** Answers with an RCODE and no records. */
export const rcode =
  (code: number): LabBehaviour =>
  (query) => [encodeAnswer(query, empty(code, true))];

export const late =
  (ms: number): LabBehaviour =>
  (query, server) =>
    new Promise((resolve) => {
      setTimeout(() => resolve([server.honest(query)]), ms).unref();
    });

/** The honest answer, after `change`. */
export const altered =
  (change: (answer: LabAnswer, query: LabQuery) => LabAnswer): LabBehaviour =>
  (query, server) => [server.honest(query, (answer) => change(answer, query))];

/** The honest message with altered bytes. */
export const mangled =
  (change: (bytes: Buffer, query: LabQuery, server: LabServer) => Buffer): LabBehaviour =>
  (query, server) => [change(server.honest(query), query, server)];

/** Sets TC over UDP; over TCP gives the honest answer, or the one from `tcp`. */
export const truncating =
  (tcp?: LabBehaviour): LabBehaviour =>
  (query, server) => {
    if (query.transport === "udp") return [encodeAnswer(query, empty(0, true), TRUNCATED)];
    return tcp ? tcp(query, server) : [server.honest(query)];
  };

/** Sends a referral with NS of `zone` instead of an answer. */
export const referring =
  (zone: string, host: string): LabBehaviour =>
  (query) => [
    encodeAnswer(query, {
      ...empty(0, false),
      authorities: [toAnswer({ name: zone, type: "NS", data: host })],
    }),
  ];

/** Applies a fault to one question name only. */
export const at =
  (name: string, behaviour: LabBehaviour): LabBehaviour =>
  (query, server) =>
    query.name === name ? behaviour(query, server) : [server.honest(query)];

/** A resolver: answers from the zones, without AA. */
export const resolving = altered((answer) => ({ ...answer, aa: false }));

/** A resolver that knows other nameservers of a zone. */
export const knowing = (zone: string, ...hosts: string[]): LabBehaviour =>
  altered((answer, query) => ({
    ...answer,
    aa: false,
    answers:
      query.name === zone && query.type === "NS"
        ? hosts.map((data) => toAnswer({ name: zone, type: "NS", data }))
        : answer.answers,
  }));

/** A resolver that does not answer NS questions. */
export const silentAboutServers: LabBehaviour = (query, server) =>
  query.type === "NS" ? [] : resolving(query, server);

/** An OPT record with one option. */
export const opt = (code: number, data: Buffer, extendedRcode = 0): OptAnswer => ({
  type: "OPT",
  name: ".",
  udpPayloadSize: 1232,
  extendedRcode,
  ednsVersion: 0,
  flags: 0,
  flag_do: false,
  options: [{ code: code as 12, data }],
});

/** A validating resolver that answers SERVFAIL with this extended error, unless CD is set. */
export const refusing =
  (code: number, text = ""): LabBehaviour =>
  (query, server) => {
    if (query.checkingDisabled)
      return [server.honest(query, (answer) => ({ ...answer, aa: false }))];
    const data = Buffer.concat([Buffer.from([0, code]), Buffer.from(text)]);
    return [encodeAnswer(query, { ...empty(2, false), additionals: [opt(15, data)] })];
  };

/** RFC 8914: 10 is "RRSIGs Missing". */
export const bogus = refusing(10, "no signatures");

/** A referral to `count` nameservers n000.zone, n001.zone, … with four-octet labels and compressed names. */
export function crowd(query: LabQuery, zone: string, count: number): Buffer {
  const head = encodeAnswer(query, empty(0, false));
  head.writeUInt16BE(count, 8);
  // Pointer to the zone's name within the question.
  const owner = 0xc000 | (12 + query.rawName.length - zone.length);
  const records = Array.from({ length: count }, (_, index) => {
    const record = Buffer.alloc(12 + 7);
    record.writeUInt16BE(owner, 0);
    record.writeUInt16BE(2, 2);
    record.writeUInt16BE(1, 4);
    record.writeUInt32BE(3600, 6);
    record.writeUInt16BE(7, 10);
    record[12] = 4;
    record.write(`n${index.toString(36).padStart(3, "0")}`, 13, "latin1");
    record.writeUInt16BE(owner, 17);
    return record;
  });
  return Buffer.concat([head, ...records]);
}
