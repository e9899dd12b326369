import { encodeAnswer, type LabBehaviour, type LabQuery, type LabServer } from "./lab-server.ts";
import { empty, type LabAnswer, toAnswer } from "./lab-zone.ts";

export const TRUNCATED = 0x200;

export const silent: LabBehaviour = () => [];

/** Answers with an RCODE and nothing else. */
export const rcode =
  (code: number): LabBehaviour =>
  (query) => [encodeAnswer(query, empty(code, true))];

export const late =
  (ms: number): LabBehaviour =>
  (query, server) =>
    new Promise((resolve) => {
      setTimeout(() => resolve([server.honest(query)]), ms).unref();
    });

/** The honest answer, altered. */
export const altered =
  (change: (answer: LabAnswer, query: LabQuery) => LabAnswer): LabBehaviour =>
  (query, server) => [server.honest(query, (answer) => change(answer, query))];

/** The honest message, its bytes altered. */
export const mangled =
  (change: (bytes: Buffer, query: LabQuery, server: LabServer) => Buffer): LabBehaviour =>
  (query, server) => [change(server.honest(query), query, server)];

/** TC over UDP; over TCP the honest answer, or what `tcp` says. */
export const truncating =
  (tcp?: LabBehaviour): LabBehaviour =>
  (query, server) => {
    if (query.transport === "udp") return [encodeAnswer(query, empty(0, true), TRUNCATED)];
    return tcp ? tcp(query, server) : [server.honest(query)];
  };

/** Points elsewhere instead of answering: NS of `zone`. */
export const referring =
  (zone: string, host: string): LabBehaviour =>
  (query) => [
    encodeAnswer(query, {
      ...empty(0, false),
      authorities: [toAnswer({ name: zone, type: "NS", data: host })],
    }),
  ];

/** Another fault for one question name, honesty for the rest. */
export const at =
  (name: string, behaviour: LabBehaviour): LabBehaviour =>
  (query, server) =>
    query.name === name ? behaviour(query, server) : [server.honest(query)];

/** A resolver: what the zones say, not authoritative. */
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

/** A resolver that is silent when asked for nameservers. */
export const silentAboutServers: LabBehaviour = (query, server) =>
  query.type === "NS" ? [] : resolving(query, server);

/** A validating resolver that finds something broken and gives such a reason, unless asked not to check. */
export const refusing =
  (code: number, text = ""): LabBehaviour =>
  (query, server) => {
    if (query.checkingDisabled)
      return [server.honest(query, (answer) => ({ ...answer, aa: false }))];
    const data = Buffer.concat([Buffer.from([0, code]), Buffer.from(text)]);
    return [
      encodeAnswer(query, {
        ...empty(2, false),
        additionals: [
          {
            type: "OPT",
            name: ".",
            udpPayloadSize: 1232,
            extendedRcode: 0,
            ednsVersion: 0,
            flags: 0,
            flag_do: false,
            options: [{ code: 15 as 12, data }],
          },
        ],
      }),
    ];
  };

/** RFC 8914: 10 is "RRSIGs Missing". */
export const bogus = refusing(10, "no signatures");

/** A referral to `count` nameservers n0.zone, n1.zone, … of four-octet labels, names compressed. */
export function crowd(query: LabQuery, zone: string, count: number): Buffer {
  const head = encodeAnswer(query, empty(0, false));
  head.writeUInt16BE(count, 8);
  // The zone's name within the question, to point at.
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
