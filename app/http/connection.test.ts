import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import { connect } from "node:net";
import { beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { listening, sendBytes } from "#app/core/testing/servers.ts";
import { parseEnvironment } from "#app/environment/env.server.ts";
import {
  type Connection,
  checkOrigin,
  clientAddresses,
  createIntake,
  foldAddress,
  forwardingWatch,
} from "./connection.server.ts";

const configured = parseEnvironment({
  BASE_URL: "https://deed.example.org",
  TRUSTED_PROXIES: "127.0.0.0/8",
});
const plain = parseEnvironment({ PORT: "3000" });
let env = plain;

let connection: Connection;
let seen: Pick<IncomingMessage, "url" | "method" | "headers">;
const server = createServer((request, response) => {
  connection = createIntake(env)(request, response);
  seen = { url: request.url, method: request.method, headers: { ...request.headers } };
  if (request.url !== "/held") response.end("ok");
});
let port = 0;
beforeAll(async () => {
  const { port: at, stop } = await listening(server);
  port = at;
  return stop;
});

function send(line: string, headers = "Host: localhost", given = plain, body = "") {
  env = given;
  return sendBytes(port, `${line} HTTP/1.1\r\n${headers}\r\nConnection: close\r\n\r\n${body}`);
}

describe("createIntake", () => {
  it("takes the sign-in token out of what the server sees", async () => {
    await send("GET /sign-in/confirm?token=s3cret");
    expect(seen.url).toBe("/sign-in/confirm");
    expect(JSON.stringify(seen.headers)).not.toContain("s3cret");
    expect(connection.signInToken).toBe("s3cret");
  });

  it("lets nobody speak for it: incoming x-deed-* headers go", async () => {
    await send("GET /", "Host: localhost\r\nX-Deed-Role: admin");
    expect(seen.headers["x-deed-role"]).toBeUndefined();
    expect(connection.address).toBe("127.0.0.1");
  });

  it.each([
    [true, plain, ""],
    [false, plain, "\r\nX-Forwarded-For: 127.0.0.1"],
    [false, configured, "\r\nX-Forwarded-For: 127.0.0.1"],
    [false, plain, "\r\nForwarded: for=127.0.0.1"],
    [false, plain, "\r\nX-Forwarded-Proto: https"],
    [false, plain, "\r\nVia: 1.1 proxy"],
  ])("takes a request for one of this machine: %s", async (isOwn, given, header) => {
    await send("GET /", `Host: localhost${header}`, given);
    expect(connection.isLocal).toBe(isOwn);
  });

  it.each([
    ["TRACE", "OPTIONS", "TRACE"],
    ["PROPFIND", "OPTIONS", "PROPFIND"],
    ["PATCH", "PATCH", null],
  ])("hands %s on as %s", async (sent, handed, foreign) => {
    await send(`${sent} /api/domains`);
    expect([seen.method, connection.foreignMethod]).toEqual([handed, foreign]);
  });

  it.each(["a b", "evil.example:99999", "]", "evil.example/path", "user@evil.example", ""])(
    "replaces a Host of %j that no URL can hold",
    async (host) => {
      await send("GET /", `Host: ${host}`);
      expect(seen.headers.host).toBe("localhost:3000");
    },
  );

  it("shows Remix the service's own Host where BASE_URL says it", async () => {
    await send("GET /", "Host: evil.example\r\nX-Forwarded-Host: evil.example", configured);
    expect(seen.headers.host).toBe("deed.example.org");
    expect(seen.headers["x-forwarded-host"]).toBeUndefined();
  });

  it("aborts `closed` when the client leaves", async () => {
    const socket = connect(port, "127.0.0.1");
    socket.write("GET /held HTTP/1.1\r\nHost: localhost\r\n\r\n");
    await once(server, "request");
    expect(connection.closed.aborted).toBe(false);
    socket.destroy();
    await once(connection.closed, "abort");
  });

  it("answers before a refused body has arrived, and cuts one that never ends", async () => {
    const headers = "Host: localhost:3000\r\nContent-Length: 1000000";
    const answer = await send("POST /api/x", headers, plain, "x".repeat(50_000));
    expect(answer).toMatch(/^HTTP\/1.1 200/);
  });
});

const refuses = (given: typeof plain, headers: Record<string, string>, method = "POST") => {
  try {
    checkOrigin(new Request("http://localhost/x", { method, headers }), given);
    return false;
  } catch (error) {
    expect(error).toMatchObject({ code: "cross_origin", status: 403 });
    return true;
  }
};

describe("C12.14, C12.17: checkOrigin", () => {
  it.each([
    ["neither header: a script", "", "", false],
    ["its own origin", "https://deed.example.org", "", false],
    ["its own page", "https://deed.example.org", "same-origin", false],
    ["an address typed in", "", "none", false],
    ["another origin", "https://evil.example", "", true],
    ["another scheme", "http://deed.example.org", "", true],
    ["another port", "https://deed.example.org:8443", "", true],
    ["an origin that only begins alike", "https://deed.example.org.evil.example", "", true],
    ["no origin to name", "null", "", true],
    ["an origin hidden on its own page", "null", "same-origin", false],
    ["an origin hidden on no page", "null", "none", true],
    ["an origin that is none", "::", "", true],
    ["a cross-site fetch", "", "cross-site", true],
    ["a sibling site", "", "same-site", true],
    ["a loopback origin", "http://localhost:3000", "", true],
  ])("with BASE_URL set, judges %s", (_, Origin, site, refused) => {
    const given = { ...(Origin && { Origin }), ...(site && { "Sec-Fetch-Site": site }) };
    expect(refuses(configured, { Host: "localhost:3000", ...given })).toBe(refused);
  });

  it.each([
    ["localhost:3000", "localhost:3000", false],
    ["127.0.0.1:3000", "127.0.0.1:3000", false],
    ["[::1]:3000", "[::1]:3000", false],
    ["127.0.0.1:4000", "127.0.0.1:3000", true],
    ["evil.example:3000", "evil.example:3000", true],
    ["127.0.0.1.evil.example", "127.0.0.1.evil.example", true],
  ])("with BASE_URL unset, judges the origin http://%s", (origin, Host, refused) => {
    expect(refuses(plain, { Origin: `http://${origin}`, Host })).toBe(refused);
  });

  it.each(["GET", "HEAD", "OPTIONS"])("lets %s through from anywhere", (method) => {
    expect(refuses(configured, { Origin: "https://evil.example" }, method)).toBe(false);
  });
});

const requestFrom = (remoteAddress: string, forwarded?: string) => {
  const request = { socket: { remoteAddress }, headers: { "x-forwarded-for": forwarded } };
  return request as unknown as IncomingMessage;
};

it.each([
  ["the socket's, without proxies", "203.0.113.9", undefined, "203.0.113.9"],
  ["the socket's, whatever an untrusted hop says", "203.0.113.9", "1.2.3.4", "203.0.113.9"],
  ["the rightmost entry past a trusted hop", "10.0.0.1", "6.6.6.6, 198.51.100.7", "198.51.100.7"],
  ["past several trusted hops", "10.0.0.1", "1.1.1.1, 198.51.100.7, 10.2.3.4", "198.51.100.7"],
  ["past IPv6 hops", "fd00::1", "2001:db8::5", "2001:db8::5"],
  ["stopped by an entry that is no address", "10.0.0.1", "1.2.3.4, unknown", "10.0.0.1"],
  ["stopped by an entry with a port", "10.0.0.1", "1.2.3.4:80", "10.0.0.1"],
  ["the last trusted hop where all are", "10.0.0.1", "10.0.0.3, 10.0.0.2", "10.0.0.3"],
  ["folded from its mapped form", "::ffff:10.0.0.1", "::ffff:198.51.100.7", "198.51.100.7"],
])("clientAddresses is %s", (_, socket, forwarded, expected) => {
  const clientAddress = clientAddresses(["10.0.0.0/8", "fd00::/8"]);
  expect(clientAddress(requestFrom(socket, forwarded))).toBe(expected);
});

it("foldAddress drops a zone id", () => expect(foldAddress("fe80::1%eth0")).toBe("fe80::1"));

it("forwardingWatch reports a neighbour that is not trusted, once an hour", () => {
  const reported: string[] = [];
  vi.useFakeTimers({ toFake: ["performance"] });
  onTestFinished(() => void vi.useRealTimers());
  const watch = forwardingWatch(["10.0.0.0/8"], (neighbour) => void reported.push(neighbour));
  watch(requestFrom("203.0.113.9"));
  watch(requestFrom("10.0.0.1", "198.51.100.7"));
  expect(reported).toEqual([]);
  watch(requestFrom("::ffff:203.0.113.9", "198.51.100.7"));
  watch(requestFrom("203.0.113.10", "198.51.100.7"));
  expect(reported).toEqual(["203.0.113.9"]);
  vi.advanceTimersByTime(3_600_000);
  watch(requestFrom("203.0.113.10", "198.51.100.7"));
  expect(reported).toEqual(["203.0.113.9", "203.0.113.10"]);
});
