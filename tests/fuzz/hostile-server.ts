/**
 * A nameserver on 127.0.0.0/8 that answers every question with as much work as a message can hold. Runs as a separate
 * process, so that its CPU time is not counted as the reader's: `hostile-server.ts <port> <plan as JSON>`. Prints
 * "ready" once it listens.
 */
import { createSocket } from "node:dgram";
import { createServer } from "node:net";
import { MAX_MESSAGE } from "@deed/dns/protocol.ts";

/** The values at the challenge name and at every other name queried for TXT. */
export type Values = "long" | "many" | "alike" | "garbage" | "near" | "none";
export type Plan = {
  /** Sends complete answers over UDP, however long, or truncates all of them to force TCP. */
  transport: "udp" | "tcp";
  values: Values;
  /** The useless answer: this message (base64), a "chain" of pointers, or null for unrelated names. */
  message: string | null;
  /** Octets per write of a TCP answer; 0 for all at once. */
  pieces: number;
  /** Useless answers before each useful one. */
  useless: number;
  /** Datagrams with a wrong id before each right one. */
  flood: number;
  token: string;
};

const HEADER = 12;
/** A deep name; every label on the way is a zone. */
export const DEEP = "h.g.f.e.d.c.b.acme.test";
export const DOMAIN = "acme.test";
const ZONES = DEEP.split(".").map((_label, at, labels) => labels.slice(at).join("."));
const SERVERS = 13;

const nameBytes = (name: string) =>
  Buffer.concat([
    ...name
      .split(".")
      .filter(Boolean)
      .map((label) => Buffer.from([label.length, ...Buffer.from(label, "latin1")])),
    Buffer.from([0]),
  ]);
const word = (value: number) => Buffer.from([value >> 8, value & 0xff]);
const pointer = (at: number) => word(0xc000 | at);
const record = (owner: Buffer, type: number, data: Buffer) =>
  Buffer.concat([owner, word(type), word(1), Buffer.from([0, 0, 14, 16]), word(data.length), data]);

type Sections = { answers: Buffer[]; authorities: Buffer[]; additionals: Buffer[] };
type Asked = { name: string; type: number; questionEnd: number; query: Buffer };

function readQuestion(query: Buffer): Asked {
  const labels: string[] = [];
  let at = HEADER;
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString("latin1", at + 1, at + 1 + length).toLowerCase());
    at += length + 1;
  }
  return { name: labels.join("."), type: query.readUInt16BE(at + 1), questionEnd: at + 5, query };
}

function assembled(asked: Asked, flags: number, sections: Partial<Sections>, fill?: () => Buffer) {
  const kept: Record<keyof Sections, Buffer[]> = { answers: [], authorities: [], additionals: [] };
  let size = asked.questionEnd;
  let count = 1;
  const add = (section: keyof Sections, bytes: Buffer) => {
    if (size + bytes.length > MAX_MESSAGE || count >= 511) return false;
    kept[section].push(bytes);
    size += bytes.length;
    count += 1;
    return true;
  };
  for (const section of ["answers", "authorities", "additionals"] as const)
    for (const bytes of sections[section] ?? []) add(section, bytes);
  while (fill && add("additionals", fill()));
  const head = Buffer.from(asked.query.subarray(0, asked.questionEnd));
  head.writeUInt16BE(flags, 2);
  head.writeUInt16BE(kept.answers.length, 6);
  head.writeUInt16BE(kept.authorities.length, 8);
  head.writeUInt16BE(kept.additionals.length, 10);
  return Buffer.concat([head, ...kept.answers, ...kept.authorities, ...kept.additionals]);
}

let serial = 0;
const unique = () => (serial++).toString(36).padStart(4, "0");

/** A referral to `zone`: 13 servers to query first, then names and addresses that only cost time. */
function referral(asked: Asked, zone: string): Buffer {
  const owner = pointer(asked.questionEnd - 4 - nameBytes(zone).length);
  const hosts = Array.from({ length: SERVERS }, (_, at) => `a${at}.${zone}`);
  const ns = hosts.map((host) => record(owner, 2, nameBytes(host)));
  const more = Array.from({ length: 150 }, () =>
    record(owner, 2, nameBytes(`x${unique()}.${zone}`)),
  );
  const glue = hosts.map((host, at) =>
    record(nameBytes(host), 1, Buffer.from([127, 0, 0, 1 + at])),
  );
  const first = Buffer.concat([Buffer.from([2]), Buffer.from("a0"), owner]);
  return assembled(asked, 0x8000, { authorities: [...ns, ...more], additionals: glue }, () =>
    record(first, 28, Buffer.from(`2001${unique()}${unique()}${unique()}`)),
  );
}

/** As many NS records as a message holds, none of them for a zone on the way down. */
const sideways = (asked: Asked) =>
  assembled(asked, 0x8000, {
    authorities: Array.from({ length: 500 }, () =>
      record(nameBytes(`y${unique()}.elsewhere`), 2, pointer(HEADER)),
    ),
  });

const timesAsked = new Map<string, number>();

const strings = (bytes: Buffer, size: number) => {
  const parts: Buffer[] = [];
  for (let at = 0; at < bytes.length; at += size) {
    const part = bytes.subarray(at, at + size);
    parts.push(Buffer.from([part.length]), part);
  }
  return Buffer.concat(parts);
};

function valueBytes(values: Values, token: string): Buffer {
  switch (values) {
    case "long":
      return strings(Buffer.from(`${'"\\"\u200b '.repeat(2_300)}${unique()}`), 255);
    case "garbage":
      return strings(Buffer.concat([Buffer.alloc(300, 0xe2), Buffer.from(unique())]), 1);
    case "alike":
      return strings(Buffer.from(`aaaaaaaaaaaaaaaa${unique()}`), 255);
    case "near":
      return strings(Buffer.from(`"${[...token.slice(0, -30)].join("\u200b")}${unique()}"`), 255);
    default:
      return strings(Buffer.from(`\u202e"\\${unique()}\u00e9 `), 255);
  }
}

function txt(asked: Asked, { values, token }: Plan): Buffer {
  const owner = pointer(HEADER);
  if (values === "none") return assembled(asked, 0x8400, {});
  const answers: Buffer[] = [];
  let size = asked.questionEnd;
  for (;;) {
    const one = record(owner, 16, valueBytes(values, token));
    size += one.length;
    if (size > MAX_MESSAGE || answers.length === 510) break;
    answers.push(one);
  }
  return assembled(asked, 0x8400, { answers });
}

function answerTo(query: Buffer, plan: Plan): Buffer {
  const asked = readQuestion(query);
  // One address serves every zone, so the server cannot know which one is meant: it refers to the name in the question.
  const labels = asked.name.split(".").filter(Boolean);
  const times = (timesAsked.get(asked.name) ?? 0) + 1;
  timesAsked.set(asked.name, times);
  if (asked.type === 2 && times % (plan.useless + 1) !== 0) return uselessAnswer(asked, plan);
  if (asked.type === 2 && ZONES.includes(asked.name)) return referral(asked, asked.name);
  if (asked.type === 16) return txt(asked, plan);
  return assembled(asked, labels.length < 2 ? 0x8000 : 0x8400, {});
}

function uselessAnswer(asked: Asked, { message }: Plan): Buffer {
  if (message === null) return sideways(asked);
  if (message === "chain") return chain(asked);
  return worst(asked, Buffer.from(message, "base64"));
}

/**
 * Pointers that each point to the previous one, as many as fit before 500 records whose names start at the last one.
 */
function chain(asked: Asked): Buffer {
  const first = asked.questionEnd + 11;
  const count = Math.floor((MAX_MESSAGE - first - 500 * 12) / 2);
  const data = Buffer.concat(
    Array.from({ length: count }, (_, at) => pointer(at === 0 ? HEADER : first + 2 * at - 2)),
  );
  const last = pointer(first + 2 * count - 2);
  return assembled(asked, 0x8000, {
    answers: [
      record(Buffer.from([0]), 99, data),
      ...Array.from({ length: 500 }, () => record(last, 99, Buffer.alloc(0))),
    ],
  });
}

/** Puts the message's records after this question. Its pointers then lead elsewhere, which the decoder must handle. */
function worst(asked: Asked, message: Buffer): Buffer {
  const bytes = Buffer.from(message);
  asked.query.copy(bytes, 0, 0, 2);
  const question = asked.query.subarray(HEADER, asked.questionEnd);
  question.copy(bytes, HEADER);
  bytes.writeUInt16BE(1, 4);
  return bytes;
}

function truncated(query: Buffer): Buffer {
  const { questionEnd } = readQuestion(query);
  const bytes = Buffer.from(query.subarray(0, questionEnd));
  bytes.writeUInt16BE(0x8200, 2);
  bytes.writeUInt16BE(0, 10);
  return bytes;
}

function listen(address: string, port: number, plan: Plan): Promise<unknown> {
  const udp = createSocket("udp4");
  udp.on("message", (query, from) => {
    const answer = plan.transport === "tcp" ? truncated(query) : answerTo(query, plan);
    for (let count = 0; count < plan.flood; count += 1) {
      const wrong = Buffer.from(answer);
      wrong.writeUInt16BE((query.readUInt16BE(0) + 1 + count) & 0xffff, 0);
      udp.send(wrong, from.port, from.address);
    }
    udp.send(answer, from.port, from.address);
  });
  const tcp = createServer((socket) => {
    socket.setNoDelay(true);
    socket.on("error", () => {});
    let received = Buffer.alloc(0);
    socket.on("data", (chunk) => {
      received = Buffer.concat([received, chunk]);
      if (received.length < 2 || received.length < received.readUInt16BE(0) + 2) return;
      const answer = answerTo(received.subarray(2), plan);
      const framed = Buffer.concat([word(answer.length), answer]);
      if (plan.pieces === 0) return void socket.end(framed);
      let at = 0;
      const trickle = () => {
        if (at >= framed.length || socket.destroyed) return void socket.end();
        socket.write(framed.subarray(at, at + plan.pieces));
        at += plan.pieces;
        setImmediate(trickle);
      };
      trickle();
    });
  });
  return Promise.all([
    new Promise<void>((resolve) => udp.bind(port, address, resolve)),
    new Promise<void>((resolve) => tcp.listen(port, address, resolve)),
  ]);
}

if (process.argv[1]?.endsWith("hostile-server.ts")) {
  const port = Number(process.argv[2]);
  const plan: Plan = JSON.parse(process.argv[3] ?? "{}");
  const addresses = Array.from({ length: SERVERS }, (_, at) => `127.0.0.${1 + at}`);
  await Promise.all(addresses.map((address) => listen(address, port, plan)));
  console.log("ready");
}
