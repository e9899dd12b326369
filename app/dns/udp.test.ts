import { createSocket, type Socket } from "node:dgram";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { buildQuery } from "./query.ts";
import { UdpPool, type UdpReply } from "./udp.ts";

const bound = (address: string) =>
  new Promise<Socket>((resolve) => {
    const socket = createSocket("udp4");
    socket.bind(0, address, () => resolve(socket));
  });
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

let asked: Socket;
let stranger: Socket;
let pool: UdpPool;
beforeEach(async () => {
  [asked, stranger] = await Promise.all([bound("127.90.0.1"), bound("127.90.0.2")]);
  pool = new UdpPool(0);
});
afterEach(() => {
  pool.close();
  asked.close();
  stranger.close();
});

/** Sends one query; `answer` gets the query as it arrived, and the port to reply to. */
async function ask(answer: (query: Buffer, port: number) => void): Promise<UdpReply[]> {
  const replies: UdpReply[] = [];
  asked.once("message", (query, from) => answer(query, from.port));
  const to = { address: "127.90.0.1", port: asked.address().port };
  pool.send(buildQuery({ name: "acme.test", type: "TXT" }), to, (reply) => replies.push(reply));
  // However busy the machine: until something came, and a little longer for what must not come.
  for (let waited = 0; replies.length === 0 && waited < 2_000; waited += 20) await pause(20);
  await pause(40);
  return replies;
}

const replyTo = (query: Buffer, change: (reply: Buffer) => void = () => {}) => {
  const reply = Buffer.from(query);
  reply[2] = 0x84;
  change(reply);
  return reply;
};

describe("UdpPool", () => {
  it("takes the answer of the server asked, once", async () => {
    const replies = await ask((query, port) => {
      asked.send(replyTo(query), port, "127.0.0.1");
      asked.send(replyTo(query), port, "127.0.0.1");
    });
    expect(replies.map((reply) => reply.type)).toEqual(["answer"]);
  });

  it("waits past another address, port, id, question, and queries, to the right answer", async () => {
    const replies = await ask((query, port) => {
      stranger.send(replyTo(query), port, "127.0.0.1");
      for (const at of [1, 14, query.length - 13]) {
        const wrong = replyTo(query, (reply) => {
          reply[at] = (reply[at] ?? 0) ^ 1;
        });
        asked.send(wrong, port, "127.0.0.1");
      }
      asked.send(query, port, "127.0.0.1");
      asked.send(Buffer.from("short"), port, "127.0.0.1");
      setTimeout(() => asked.send(replyTo(query), port, "127.0.0.1"), 20);
    });
    expect(replies).toHaveLength(1);
    expect(replies[0]?.type === "answer" && replies[0].bytes[2]).toBe(0x84);
  });

  it("does not believe a question in other letters", async () => {
    const replies = await ask((query, port) => {
      const swapped = replyTo(query, (reply) => {
        reply[13] = (reply[13] ?? 0) ^ 0x20;
      });
      asked.send(swapped, port, "127.0.0.1");
    });
    expect(replies).toEqual([{ type: "case" }]);
  });

  it("asks from many ports, 1024 and above, and ids that do not repeat in order", async () => {
    const ports = new Set<number>();
    const ids: number[] = [];
    asked.on("message", (query, from) => {
      ports.add(from.port);
      ids.push(query.readUInt16BE(0));
    });
    const to = { address: "127.90.0.1", port: asked.address().port };
    for (let count = 0; count < 200; count += 1) {
      pool.send(buildQuery({ name: "acme.test", type: "TXT" }), to, () => {});
    }
    await pause(100);
    expect(ids.length).toBeGreaterThan(190);
    expect(ports.size).toBeGreaterThan(10);
    expect(Math.min(...ports)).toBeGreaterThanOrEqual(1024);
    expect(new Set(ids).size).toBeGreaterThan(190);
    expect(ids.filter((id, index) => id === (ids[index - 1] ?? -2) + 1).length).toBeLessThan(5);
  });

  it("replaces a socket after its share of queries", async () => {
    const ports = new Set<number>();
    asked.on("message", (_query, from) => ports.add(from.port));
    const to = { address: "127.90.0.1", port: asked.address().port };
    for (let round = 0; round < 60; round += 1) {
      const forget = Array.from({ length: 100 }, () =>
        pool.send(buildQuery({ name: "acme.test", type: "TXT" }), to, () => {}),
      );
      await pause(2);
      for (const each of forget) each();
    }
    expect(ports.size).toBeGreaterThan(16);
  });

  it("sends nothing that is forgotten at once", async () => {
    let arrived = 0;
    asked.on("message", () => {
      arrived += 1;
    });
    const to = { address: "127.90.0.1", port: asked.address().port };
    pool.send(buildQuery({ name: "acme.test", type: "TXT" }), to, () => {})();
    await pause(40);
    expect(arrived).toBe(0);
  });

  it("sends nothing once closed", async () => {
    pool.close();
    expect(await ask(() => {})).toEqual([{ type: "unsent" }]);
  });
});
