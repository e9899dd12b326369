import { createServer, type IncomingMessage } from "node:http";
import { connect } from "node:net";
import { beforeAll, describe, expect, it } from "vitest";
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

type Seen = { url: string; method: string; headers: IncomingMessage["headers"] };

let port = 0;
let seen: Seen = { url: "", method: "", headers: {} };
let connection: Connection;
let respond = true;

const configured = parseEnvironment({
  BASE_URL: "https://deed.example.org",
  TRUSTED_PROXIES: "127.0.0.0/8",
});
const plain = parseEnvironment({ PORT: "3000" });
let receive = createIntake(plain);

beforeAll(async () => {
  const server = createServer((request, response) => {
    connection = receive(request, response);
    const { url = "", method = "", headers } = request;
    seen = { url, method, headers: { ...headers } };
    if (respond) response.end("ok");
  });
  const { port: at, stop } = await listening(server);
  port = at;
  return stop;
});

/** Sends bytes as they are and returns the answer's head. */
const send = (lines: string[], body = "") =>
  sendBytes(port, `${[...lines, "Connection: close"].join("\r\n")}\r\n\r\n${body}`);

describe("createIntake", () => {
  it("takes the sign-in token out of what the server sees", async () => {
    await send(["GET /sign-in/confirm?token=s3cret HTTP/1.1", "Host: localhost"]);
    expect(seen.url).toBe("/sign-in/confirm");
    expect(JSON.stringify(seen.headers)).not.toContain("s3cret");
    expect(connection.signInToken).toBe("s3cret");
  });

  it("lets nobody speak for it: incoming x-deed-* headers go", async () => {
    await send(["GET / HTTP/1.1", "Host: localhost", "X-Deed-Role: admin"]);
    expect(seen.headers["x-deed-role"]).toBeUndefined();
    expect(connection.address).toBe("127.0.0.1");
  });

  it("believes X-Forwarded-For past trusted proxies only", async () => {
    const lines = ["GET / HTTP/1.1", "Host: localhost", "X-Forwarded-For: 198.51.100.7"];
    receive = createIntake(plain);
    await send(lines);
    expect(connection.address).toBe("127.0.0.1");
    receive = createIntake(configured);
    await send(lines);
    expect(connection.address).toBe("198.51.100.7");
    receive = createIntake(plain);
  });

  it.each([
    [true, plain, ["Host: localhost"]],
    [false, plain, ["Host: localhost", "X-Forwarded-For: 127.0.0.1"]],
    [false, configured, ["Host: localhost", "X-Forwarded-For: 127.0.0.1"]],
    [false, plain, ["Host: localhost", "Forwarded: for=127.0.0.1"]],
    [false, plain, ["Host: localhost", "X-Forwarded-Proto: https"]],
    [false, plain, ["Host: localhost", "Via: 1.1 proxy"]],
  ])("takes a request for one of this machine: %s", async (isOwn, env, headers) => {
    receive = createIntake(env);
    await send(["GET / HTTP/1.1", ...headers]);
    expect(connection.isLocal).toBe(isOwn);
    receive = createIntake(plain);
  });

  it.each([
    ["TRACE", "OPTIONS", "TRACE"],
    ["PROPFIND", "OPTIONS", "PROPFIND"],
    ["PATCH", "PATCH", null],
  ])("hands %s on as %s", async (sent, handed, foreign) => {
    await send([`${sent} /api/domains HTTP/1.1`, "Host: localhost"]);
    expect(seen.method).toBe(handed);
    expect(connection.foreignMethod).toBe(foreign);
  });

  it.each(["a b", "evil.example:99999", "]", "evil.example/path", "user@evil.example", ""])(
    "replaces a Host of %j that no URL can hold",
    async (host) => {
      await send(["GET / HTTP/1.1", `Host: ${host}`]);
      expect(seen.headers.host).toBe("localhost:3000");
    },
  );

  it("shows Remix the service's own Host where BASE_URL says it", async () => {
    receive = createIntake(configured);
    await send(["GET / HTTP/1.1", "Host: evil.example", "X-Forwarded-Host: evil.example"]);
    expect(seen.headers.host).toBe("deed.example.org");
    expect(seen.headers["x-forwarded-host"]).toBeUndefined();
    receive = createIntake(plain);
  });

  it("aborts `closed` when the client leaves", async () => {
    respond = false;
    const socket = connect(port, "127.0.0.1", () =>
      socket.write("GET /held HTTP/1.1\r\nHost: localhost\r\n\r\n"),
    );
    while (seen.url !== "/held") await new Promise((resolve) => setTimeout(resolve, 5));
    expect(connection.closed.aborted).toBe(false);
    const left = new Promise((resolve) => connection.closed.addEventListener("abort", resolve));
    socket.destroy();
    await left;
    respond = true;
  });

  it("answers before a refused body has arrived, and cuts one that never ends", async () => {
    const answer = await send(
      ["POST /api/x HTTP/1.1", "Host: localhost:3000", "Content-Length: 1000000"],
      "x".repeat(50_000),
    );
    expect(answer).toMatch(/^HTTP\/1.1 200/);
  });
});

const refuses = (env: typeof plain, headers: Record<string, string>, method = "POST") => {
  try {
    checkOrigin(new Request("http://localhost/x", { method, headers }), env);
    return false;
  } catch (error) {
    expect(error).toMatchObject({ code: "cross_origin", status: 403 });
    return true;
  }
};

describe("checkOrigin", () => {
  it.each([
    ["neither header: a script", null, null, false],
    ["its own origin", "https://deed.example.org", null, false],
    ["its own page", "https://deed.example.org", "same-origin", false],
    ["an address typed in", null, "none", false],
    ["another origin", "https://evil.example", null, true],
    ["another scheme", "http://deed.example.org", null, true],
    ["another port", "https://deed.example.org:8443", null, true],
    ["an origin that only begins alike", "https://deed.example.org.evil.example", null, true],
    ["no origin to name", "null", null, true],
    ["an origin hidden on its own page", "null", "same-origin", false],
    ["an origin hidden on no page", "null", "none", true],
    ["an origin that is none", "::", null, true],
    ["a cross-site fetch", null, "cross-site", true],
    ["a sibling site", null, "same-site", true],
    ["a loopback origin", "http://localhost:3000", null, true],
  ])("with BASE_URL set, judges %s", (_, Origin, site, refused) => {
    const headers = { Host: "localhost:3000", ...(Origin && { Origin }) };
    expect(refuses(configured, site ? { ...headers, "Sec-Fetch-Site": site } : headers)).toBe(
      refused,
    );
  });

  it.each([
    ["localhost by its name", "http://localhost:3000", "localhost:3000", false],
    ["the IPv4 loopback", "http://127.0.0.1:3000", "127.0.0.1:3000", false],
    ["the IPv6 loopback", "http://[::1]:3000", "[::1]:3000", false],
    ["another loopback port", "http://127.0.0.1:4000", "127.0.0.1:3000", true],
    ["a rebound name", "http://evil.example:3000", "evil.example:3000", true],
    [
      "a name that only begins like one",
      "http://127.0.0.1.evil.example",
      "127.0.0.1.evil.example",
      true,
    ],
  ])("with BASE_URL unset, judges %s", (_, Origin, Host, refused) => {
    expect(refuses(plain, { Origin, Host })).toBe(refused);
  });

  it.each(["GET", "HEAD", "OPTIONS"])("lets %s through from anywhere", (method) => {
    expect(refuses(configured, { Origin: "https://evil.example" }, method)).toBe(false);
  });
});

const clientAddress = clientAddresses(["10.0.0.0/8", "fd00::/8"]);

const requestFrom = (remoteAddress: string, forwardedFor: string | undefined) =>
  ({
    socket: { remoteAddress },
    headers: { "x-forwarded-for": forwardedFor },
  }) as unknown as IncomingMessage;

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
  expect(clientAddress(requestFrom(socket, forwarded))).toBe(expected);
});

describe("foldAddress", () => {
  it("drops a zone id", () => expect(foldAddress("fe80::1%eth0")).toBe("fe80::1"));
  it("leaves IPv6 as it is", () => expect(foldAddress("2001:db8::1")).toBe("2001:db8::1"));
});

it("forwardingWatch reports a neighbour that is not trusted, once an hour", () => {
  const seen: string[] = [];
  let now = 5;
  const watch = forwardingWatch(
    ["10.0.0.0/8"],
    (neighbour) => seen.push(neighbour),
    () => now,
  );
  watch(requestFrom("203.0.113.9", undefined));
  watch(requestFrom("10.0.0.1", "198.51.100.7"));
  expect(seen).toEqual([]);
  watch(requestFrom("::ffff:203.0.113.9", "198.51.100.7"));
  watch(requestFrom("203.0.113.10", "198.51.100.7"));
  expect(seen).toEqual(["203.0.113.9"]);
  now += 3_600_000;
  watch(requestFrom("203.0.113.10", "198.51.100.7"));
  expect(seen).toEqual(["203.0.113.9", "203.0.113.10"]);
});
