import type { OptAnswer } from "dns-packet";
import { encodeAnswer, type LabBehaviour, type LabQuery } from "./lab-server.ts";
import { empty, type LabAnswer, toAnswer } from "./lab-zone.ts";

export const TRUNCATED = 0x200;

export const silent: LabBehaviour = () => [];
export const honest: LabBehaviour = (query, server) => [server.honest(query)];

/** Has a fault with the questions that `is` picks; the others get the honest answer, or that of `others`. */
export const where =
  (is: (query: LabQuery) => boolean, fault: LabBehaviour, others = honest): LabBehaviour =>
  (query, server) =>
    (is(query) ? fault : others)(query, server);
export const isOverTcp = ({ transport }: LabQuery) => transport === "tcp";
export const hasCapitals = ({ name, rawName }: LabQuery) => name !== rawName;
export const isOf =
  (type: string) =>
  (query: LabQuery): boolean =>
    query.type === type;

/** Answers with nothing but what `made` has: with authority, unless it says otherwise. */
export const saying =
  (made: Partial<LabAnswer> | ((query: LabQuery) => Partial<LabAnswer>), flags = 0): LabBehaviour =>
  (query) => {
    const parts = typeof made === "function" ? made(query) : made;
    return [encodeAnswer(query, { ...empty(0, true), ...parts }, flags)];
  };

export const rcode = (code: number): LabBehaviour => saying({ rcode: code });

export const late =
  (ms: number): LabBehaviour =>
  (query, server) =>
    new Promise((resolve) => {
      setTimeout(() => resolve([server.honest(query)]), ms).unref();
    });

/** The honest answer, with what `change` puts in place of its parts. */
export const altered =
  (change: (answer: LabAnswer, query: LabQuery) => Partial<LabAnswer>): LabBehaviour =>
  (query, server) => [server.honest(query, (answer) => ({ ...answer, ...change(answer, query) }))];

/** Sets TC over UDP; over TCP gives the honest answer. */
export const truncating = where(isOverTcp, honest, saying({}, TRUNCATED));

export const referring = (zone: string, host: string): LabBehaviour =>
  saying({ aa: false, authorities: [toAnswer({ name: zone, type: "NS", data: host })] });

export const at = (name: string, fault: LabBehaviour, others = honest): LabBehaviour =>
  where((query) => query.name === name, fault, others);

/** A resolver: answers from the zones, without AA, and with what `change` puts in place of the answer's parts. */
export const resolver = (change: Parameters<typeof altered>[0]): LabBehaviour =>
  altered((answer, query) => ({ aa: false, ...change(answer, query) }));
export const resolving = resolver(() => ({}));

export const knowing = (zone: string, ...hosts: string[]): LabBehaviour =>
  resolver(({ answers }, query) => ({
    answers:
      query.name === zone && query.type === "NS"
        ? hosts.map((data) => toAnswer({ name: zone, type: "NS", data }))
        : answers,
  }));

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
export const refusing = (code: number, text = ""): LabBehaviour => {
  const data = Buffer.concat([Buffer.from([0, code]), Buffer.from(text)]);
  const refused = saying({ rcode: 2, aa: false, additionals: [opt(15, data)] });
  return where(({ checkingDisabled }) => checkingDisabled, resolving, refused);
};

/** RFC 8914: 10 is "RRSIGs Missing". */
export const bogus = refusing(10, "no signatures");
