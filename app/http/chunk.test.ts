import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { expect, it, onTestFinished, vi } from "vitest";
import { writeChunk } from "./chunk.server.ts";

const bytes = (text: string) => new TextEncoder().encode(text);

/** A server that answers with `answer`, and what a client of that HTTP version reads until the end. */
async function read(version: string, answer: (response: ServerResponse) => void): Promise<string> {
  const server = createServer((_, response) => answer(response)).listen(0, "127.0.0.1");
  onTestFinished(() => void server.close());
  await once(server, "listening");
  const socket = connect((server.address() as AddressInfo).port, "127.0.0.1");
  socket.setEncoding("utf8");
  socket.write(`GET / HTTP/${version}\r\nHost: localhost\r\nConnection: close\r\n\r\n`);
  let text = "";
  for await (const piece of socket) text += piece;
  return text.slice(text.indexOf("\r\n\r\n") + 4);
}

function answer(response: ServerResponse): void {
  response.write("first\n");
  const second = bytes("zweitens: ü\n");
  writeChunk(response, second);
  writeChunk(response, second);
  writeChunk(response, bytes("third\n"));
  response.end("last\n");
}

it("adds chunks between what the answer writes by itself, in order", async () => {
  expect(await read("1.1", answer)).toBe(
    "6\r\nfirst\n\r\nd\r\nzweitens: ü\n\r\nd\r\nzweitens: ü\n\r\n6\r\nthird\n\r\n5\r\nlast\n\r\n0\r\n\r\n",
  );
});

it("sends the bytes bare where the answer has no chunks", async () => {
  expect(await read("1.0", answer)).toBe("first\nzweitens: ü\nzweitens: ü\nthird\nlast\n");
});

it("keeps the answers of one connection apart", async () => {
  const held: ServerResponse[] = [];
  const server = createServer((_, response) => held.push(response)).listen(0, "127.0.0.1");
  onTestFinished(() => void server.close());
  await once(server, "listening");
  const socket = connect((server.address() as AddressInfo).port, "127.0.0.1");
  socket.setEncoding("utf8");
  const request = "GET / HTTP/1.1\r\nHost: localhost\r\n";
  socket.write(`${request}\r\n${request}Connection: close\r\n\r\n`);
  while (held.length < 2) await new Promise(setImmediate);
  for (const [i, response] of held.reverse().entries()) {
    response.write("open\n");
    writeChunk(response, bytes(`stream ${i}\n`));
    response.end();
  }
  let text = "";
  for await (const piece of socket) text += piece;
  expect(text.match(/stream \d/g)).toEqual(["stream 1", "stream 0"]);
});

it("says nothing where the reader has left", async () => {
  const gone = new Promise<ServerResponse>((resolve) => {
    const server = createServer((_, response) => {
      response.once("close", () => resolve(response));
      response.write("open\n");
    }).listen(0, "127.0.0.1", () => {
      const socket = connect((server.address() as AddressInfo).port, "127.0.0.1");
      socket.write("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n");
      socket.once("data", () => socket.destroy());
    });
    onTestFinished(() => void server.close());
  });
  const response = await gone;
  const failed = vi.fn();
  response.on("error", failed);
  expect(() => writeChunk(response, bytes("late\n"))).not.toThrow();
  await new Promise(setImmediate);
  expect(failed).not.toHaveBeenCalled();
});
