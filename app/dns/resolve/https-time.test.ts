import { createSecureServer, type Http2SecureServer, type ServerHttp2Stream } from "node:http2";
import { afterEach, expect, test } from "vitest";
import { Authority } from "../testing/certificates.ts";
import { askDate, type HttpsWitness, httpsTime } from "./https-time.ts";

const NOON = Date.UTC(2026, 0, 3, 12);
const authority = new Authority();
const { key, cert } = authority.issue(["127.0.0.1", "witness.example"]);

let server: Http2SecureServer;
afterEach(() => new Promise<void>((resolve) => server.close(() => resolve())));

async function witness(
  answer: (stream: ServerHttp2Stream, path: string) => void,
): Promise<HttpsWitness> {
  server = createSecureServer({ key, cert });
  server.on("stream", (stream, headers) => {
    stream.on("error", () => {});
    answer(stream, `${headers[":method"]} ${headers[":path"]}`);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const port = typeof address === "object" && address ? address.port : 0;
  return { name: "one", address: "127.0.0.1", port, secure: { host: null, path: "/dns-query" } };
}

const { signal } = new AbortController();
const date = new Date(NOON).toUTCString();

test.each([200, 400, 503])("reads the Date of an answer with status %i", async (status) => {
  let asked = "";
  const one = await witness((stream, path) => {
    asked = path;
    stream.respond({ ":status": status, date });
    stream.end("whatever");
  });
  expect(await askDate(one, signal, [authority.cert])).toBe(NOON);
  expect(asked).toBe("POST /dns-query");
});

test("verifies the certificate for the host name, without a lookup", async () => {
  const one = await witness((stream) => {
    stream.respond({ ":status": 200, date });
    stream.end();
  });
  const named = (host: string) => ({ ...one, secure: { host, path: "/" } });
  const source = httpsTime(named("witness.example"), [authority.cert]);
  expect(source.name).toBe("the Date of one");
  expect(await source.ask(signal)).toEqual([{ from: NOON, to: NOON + 1_000 }]);
  expect(await httpsTime(named("other.example"), [authority.cert]).ask(signal)).toEqual([null]);
});

test("ignores an invalid Date", async () => {
  const one = await witness((stream) => {
    stream.respond({ ":status": 200, date: "yesterday" });
    stream.end();
  });
  expect(await askDate(one, signal, [authority.cert])).toBeNull();
});

test("rejects an untrusted certificate", async () => {
  let asked = 0;
  const one = await witness((stream) => {
    asked += 1;
    stream.respond({ ":status": 200, date });
    stream.end();
  });
  expect(await askDate(one, signal)).toBeNull();
  expect(asked).toBe(0);
});

test("gives up on a silent server, and when aborted", async () => {
  const leaving = new AbortController();
  const one = await witness(() => leaving.abort());
  expect(await askDate(one, leaving.signal, [authority.cert])).toBeNull();
  server.close();
  expect(await askDate({ ...one, port: 1 }, signal, [authority.cert])).toBeNull();
});
