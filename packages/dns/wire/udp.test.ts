import { createSocket, type Socket } from "node:dgram";
import { existsSync, readFileSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { buildQuery } from "./message.ts";
import { MAX_NOISE, type UdpReply, UdpSockets } from "./transport.ts";

const bound = (address: string) =>
  new Promise<Socket>((resolve) => {
    const socket = createSocket("udp4");
    socket.bind(0, address, () => resolve(socket));
  });
const query = () => buildQuery({ name: "acme.test", type: "TXT" });

let asked: Socket;
let stranger: Socket;
let sockets: UdpSockets;
let to: { address: string; port: number };
const opened: UdpSockets[] = [];
const read = () => {
  const one = new UdpSockets(0);
  opened.push(one);
  return one;
};
beforeEach(async () => {
  [asked, stranger] = await Promise.all([bound("127.90.0.1"), bound("127.90.0.2")]);
  sockets = read();
  to = { address: "127.90.0.1", port: asked.address().port };
});
afterEach(() => {
  for (const one of opened.splice(0)) one.close();
  asked.close();
  stranger.close();
});

/** Sends one query; `answer` gets the query as received and the port to reply to. */
async function ask(answer: (query: Buffer, port: number) => void): Promise<UdpReply[]> {
  const replies: UdpReply[] = [];
  asked.once("message", (bytes, from) => answer(bytes, from.port));
  sockets.send(query(), to, (reply) => replies.push(reply));
  await expect.poll(() => replies.length).toBeGreaterThan(0);
  await exchanged(sockets);
  return replies;
}

/** Once another question is answered, everything sent before has arrived. */
async function exchanged(by: UdpSockets): Promise<void> {
  asked.once("message", (bytes, { port }) => asked.send(replyTo(bytes), port, "127.0.0.1"));
  await new Promise((resolve) => by.send(query(), to, resolve));
}

/** An answer; `bits` of the octet `at` may be changed. */
const replyTo = (query: Buffer, at = 0, bits = 0) => {
  const reply = Buffer.from(query);
  reply[2] = 0x84;
  reply[at] = (reply[at] ?? 0) ^ bits;
  return reply;
};

function portsOf(count: number): Promise<number[]> {
  const ports: number[] = [];
  return new Promise((resolve) => {
    asked.on("message", (_query, from) => {
      if (ports.push(from.port) === count) resolve(ports);
    });
  });
}

/** The peer of the UDP socket on a local port, according to the system; null if there is no such socket. */
function peerOf(port: number): string | null {
  for (const line of readFileSync("/proc/net/udp", "utf8").split("\n").slice(1)) {
    const [, local = "", peer = ""] = line.trim().split(/\s+/);
    if (Number.parseInt(local.split(":")[1] ?? "", 16) !== port) continue;
    const [address = "", peerPort = ""] = peer.split(":");
    const octets = address.match(/../g)?.map((octet) => Number.parseInt(octet, 16)) ?? [];
    return `${octets.reverse().join(".")}:${Number.parseInt(peerPort, 16)}`;
  }
  return null;
}

describe("the UDP sockets of a read", () => {
  it("ignore other addresses, ports, ids, questions and queries, and the answer that comes again", async () => {
    const replies = await ask((query, port) => {
      stranger.send(replyTo(query), port, "127.0.0.1");
      for (const at of [1, 14, query.length - 13])
        asked.send(replyTo(query, at, 1), port, "127.0.0.1");
      asked.send(query, port, "127.0.0.1");
      asked.send(Buffer.from("short"), port, "127.0.0.1");
      for (let times = 0; times < 2; times += 1) asked.send(replyTo(query), port, "127.0.0.1");
    });
    expect(replies).toHaveLength(1);
    expect(replies[0]?.type === "answer" && replies[0].bytes[2]).toBe(0x84);
  });

  it("report a question echoed in another letter case", async () => {
    const replies = await ask((query, port) => {
      asked.send(replyTo(query, 13, 0x20), port, "127.0.0.1");
    });
    expect(replies).toEqual([{ type: "case_changed" }]);
  });

  it("stop reading a server that sends too much noise", async () => {
    const replies = await ask((query, port) => {
      const noise = replyTo(query, 1, 1);
      for (let sent = 0; sent <= MAX_NOISE; sent += 1) asked.send(noise, port, "127.0.0.1");
      asked.send(replyTo(query), port, "127.0.0.1");
    });
    expect(replies).toEqual([{ type: "noisy" }]);
    const later = new Promise((resolve) => sockets.send(query(), to, resolve));
    expect(await later).toEqual({ type: "noisy" });
  });

  it("are one per server: its queries share a port and have random ids", async () => {
    const ids: number[] = [];
    asked.on("message", (bytes) => ids.push(bytes.readUInt16BE(0)));
    const ports = portsOf(60);
    for (let count = 0; count < 60; count += 1) sockets.send(query(), to, () => {});
    expect(new Set(await ports).size).toBe(1);
    expect(new Set(ids).size).toBe(60);
    expect(ids.filter((id, index) => id === (ids[index - 1] ?? -2) + 1).length).toBeLessThan(5);
  });

  it("use another random port from 1024 up in every read", async () => {
    const coming = portsOf(200);
    for (let count = 0; count < 200; count += 1) {
      const one = read();
      one.send(query(), to, () => one.close());
      await new Promise((resolve) => setImmediate(resolve));
    }
    const ports = await coming;
    expect(new Set(ports).size).toBeGreaterThan(190);
    expect(Math.min(...ports)).toBeGreaterThanOrEqual(1024);
    // A wider range than the system's ephemeral ports.
    expect(Math.min(...ports)).toBeLessThan(20_000);
    expect(Math.max(...ports)).toBeGreaterThan(61_000);
  });

  it.runIf(existsSync("/proc/net/udp"))("are connected, and closed with the read", async () => {
    const coming = portsOf(1);
    sockets.send(query(), to, () => {});
    const [port = 0] = await coming;
    expect(peerOf(port)).toBe(`${to.address}:${to.port}`);
    sockets.close();
    await expect.poll(() => peerOf(port)).toBeNull();
  });

  it("treat a forgeable ICMP error as silence", async () => {
    const closed = await bound("127.90.0.3");
    const nowhere = { address: "127.90.0.3", port: closed.address().port };
    await new Promise<void>((resolve) => closed.close(resolve));
    const replies: UdpReply[] = [];
    for (let round = 0; round < 3; round += 1) {
      sockets.send(query(), nowhere, (reply) => replies.push(reply));
      sockets.send(query(), nowhere, (reply) => replies.push(reply));
      await exchanged(sockets);
    }
    expect(replies).toEqual([]);
    const reborn = createSocket("udp4");
    await new Promise<void>((resolve) => reborn.bind(nowhere.port, nowhere.address, resolve));
    reborn.on("message", (bytes, from) => reborn.send(replyTo(bytes), from.port, from.address));
    sockets.send(query(), nowhere, (reply) => replies.push(reply));
    await expect.poll(() => replies.map((reply) => reply.type)).toEqual(["answer"]);
    reborn.close();
  });

  it.each(["255.255.255.255", "fe80::1"])("report no route to %s", async (address) => {
    const reply = new Promise((resolve) => sockets.send(query(), { address, port: 53 }, resolve));
    expect(await reply).toEqual({ type: "no_route" });
  });

  it("send no query that is forgotten at once, and none once closed", async () => {
    let arrived = 0;
    asked.on("message", () => {
      arrived += 1;
    });
    sockets.send(query(), to, () => {})();
    sockets.send(query(), to, () => {});
    sockets.close();
    sockets.send(query(), to, () => {});
    await exchanged(read());
    expect(arrived).toBe(1);
  });
});
