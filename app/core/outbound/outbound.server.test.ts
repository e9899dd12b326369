import { createServer as createHttp } from "node:http";
import { createServer as createHttps } from "node:https";
import { createServer as createTcp, type Server, type Socket } from "node:net";
import * as tls from "node:tls";
import { gzipSync } from "node:zlib";
import { Authority } from "@deed/dns/testing/certificates.ts";
import { afterAll, describe, expect, it, onTestFinished } from "vitest";
import { listening as listen } from "../testing/servers.ts";
import { failureOf, OutboundError } from "./failures.ts";
import { createOutbound } from "./outbound.server.ts";

async function listening(server: Server): Promise<number> {
  const { port, stop } = await listen(server);
  onTestFinished(stop);
  return port;
}

const loopback = createOutbound({
  allowed: ["127.0.0.0/8"],
  denied: ["127.0.0.9/32"],
  resolve: async (name) => (name === "nothing.test" ? [] : ["127.0.0.1"]),
});
const outside = createOutbound({ allowed: [], denied: ["198.41.0.4/32"] });

const reasonOf = (call: Promise<unknown>) =>
  call.then(
    () => "answered",
    (error) => (error instanceof OutboundError ? error.reason : String(error)),
  );

/** A receiver that says what `speak` writes, once it was asked. */
const speaking = (speak: (socket: Socket) => void) =>
  listening(
    createTcp((socket) => {
      socket.on("error", () => {}).once("data", () => speak(socket));
    }),
  );

/** The status and the length of the answer, or why there was none. */
const outcomeOf = async (port: number, host = "127.0.0.1", scheme = "http") => {
  const url = `${scheme}://${host}:${port}/`;
  try {
    const { status, body } = await loopback.call({ method: "POST", url, body: "{}" });
    return [status, body.length];
  } catch (error) {
    return error instanceof OutboundError ? error.reason : error;
  }
};

const KB = 1_024;

/** What is no public address, in every form that the URL of one can have. */
const ADDRESSES = `127.0.0.1 0x7f.1 2130706433 017700000001 127.1 ①②⑦.0.0.1 127.0.0.1. 0 0.0.0.0 [::]
  [::127.0.0.1] [64:ff9b:1::7f00:1] 10.0.0.1 169.254.169.254 168.63.129.16 [::1]
  [::ffff:127.0.0.1] [::ffff:7f00:1] [64:ff9b::7f00:1] [64:ff9b::808:808]
  [2002:7f00:1::] [2001::1] [fe80::1] [fd00:ec2::254]`;

describe("a URL", () => {
  it.each([
    ["nonsense", /is not a URL/],
    ["ftp://example.org/", /https/],
    ["http://example.org/", /must start with https/],
    ["https://user:secret@example.org/", /user name/],
    ["https://example.org/#part", /#/],
    ["https://example.org:25/", /port 443/],
    ["https://example.org:0/", /port 443/],
    ["https://example.org:00/", /port 443/],
    [`https://example.org/${"x".repeat(2_048)}`, /2048 characters/],
    ["https://198.41.0.4/", /198\.41\.0\.4, which is not/],
    ...ADDRESSES.split(/\s+/).map((host): [string, RegExp] => [
      `https://${host}/`,
      /which is not a public address/,
    ]),
    ["https://[fe80::1%25eth0]/", /is not a URL/],
  ])("%s is refused", (url, why) => {
    expect(outside.problem(url)).toMatch(why);
  });

  it.each([
    "https://example.org/",
    "https://example.org:8443/path?query=1",
    "https://xn--bcher-kva.example/",
    "https://bücher.example/",
    "https://8.8.8.8/",
    "https://[2606:4700::1111]/",
    // Names, which say nothing of where they lead.
    "https://example.org./",
    "https://localhost/",
  ])("%s is taken", (url) => {
    expect(outside.problem(url)).toBeNull();
  });

  it("may be plain http where the operator allows addresses, and only there", () => {
    expect(loopback.problem("http://127.0.0.1:8080/")).toBeNull();
    expect(loopback.problem("http://127.0.0.9/")).toMatch(/not a public address/);
    expect(loopback.problem("http://127.0.0.1:0/")).toMatch(/port 80, or one from 1024 on/);
    // Neither another address nor a name, which may lead anywhere.
    for (const host of ["8.8.8.8", "hooks.test", "localhost", "127.0.0.1.example"])
      expect(loopback.problem(`http://${host}/`)).toMatch(/must start with https/);
  });
});

describe("a call", () => {
  it("says what it was told to, and returns the answer", async () => {
    const asked: unknown[] = [];
    const server = createHttp((request, response) => {
      asked.push(request.headers.host, request.method);
      request.pipe(response.writeHead(201, { "Retry-After": "7" }));
    });
    const port = await listening(server);
    const { status, headers, body } = await loopback.call({
      method: "POST",
      url: `http://127.0.0.1:${port}/x`,
      body: "über",
    });
    expect([status, headers["retry-after"], String(body)]).toEqual([201, "7", "über"]);
    expect(asked).toEqual([`127.0.0.1:${port}`, "POST"]);
  });

  it("does not follow a redirect", async () => {
    let calls = 0;
    const server = createHttp((_, response) => {
      calls += 1;
      response.writeHead(307, { Location: "/again" }).end();
    });
    const port = await listening(server);
    const url = `http://127.0.0.1:${port}/`;
    expect((await loopback.call({ method: "GET", url })).status).toBe(307);
    expect(calls).toBe(1);
  });

  it("reads 64 KB of an endless answer and closes the connection", async () => {
    let sent = 0;
    const closed = new Promise<void>((resolve) => {
      const server = createHttp((_, response) => {
        response.writeHead(200);
        const write = () => {
          while (!response.destroyed && response.write(Buffer.alloc(65_536))) sent += 65_536;
        };
        response.on("drain", write).once("close", resolve);
        write();
      });
      void listening(server).then(async (port) => {
        const { body } = await loopback.call({ method: "GET", url: `http://127.0.0.1:${port}/` });
        expect(body.length).toBe(65_536);
      });
    });
    await closed;
    expect(sent).toBeLessThan(64 * 1024 * 1024);
  });

  it("ends after five seconds, whatever comes of the name or the connection", async () => {
    const silent = await listening(createTcp(() => {}));
    const nowhere = createOutbound({
      allowed: ["127.0.0.0/8"],
      denied: [],
      resolve: () => new Promise(() => {}),
    });
    const at = (port: number) => ({ method: "GET" as const, url: `http://127.0.0.1:${port}/` });
    const reasons = await Promise.all([
      reasonOf(loopback.call(at(silent))),
      reasonOf(nowhere.call({ method: "GET", url: "https://never.test/" })),
    ]);
    expect(reasons).toEqual(["timeout", "timeout"]);
  });

  it("says why there was no answer", async () => {
    const junk = await speaking((socket) => socket.end("SSH-2.0-nothing\r\n"));
    const upgrade = await speaking((socket) =>
      socket.write("HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n"),
    );
    const { port: closedPort, stop } = await listen(createTcp());
    stop();
    const get = (url: string) => reasonOf(loopback.call({ method: "GET", url }));
    expect(await get(`http://127.0.0.1:${junk}/`)).toBe("not_http");
    expect(await get(`http://127.0.0.1:${upgrade}/`)).toMatch(/not_http|unreachable/);
    expect(await get(`http://127.0.0.1:${closedPort}/`)).toBe("unreachable");
    expect(await get("https://nothing.test/")).toBe("name_not_found");
    expect(await get("https://127.0.0.9/")).toBe("bad_url");
  });
});

describe("an answer", () => {
  it("may end with its connection, at once or later", async () => {
    const head = "HTTP/1.1 200 OK\r\n\r\n";
    const atOnce = await speaking((socket) => socket.end(`${head}hello`));
    const later = await speaking((socket) => {
      socket.write(`${head}hel`);
      setTimeout(() => socket.end("lo"), 50);
    });
    for (let round = 0; round < 5; round++)
      expect([await outcomeOf(atOnce), await outcomeOf(later)]).toEqual([
        [200, 5],
        [200, 5],
      ]);
  });

  it("is not unpacked: a bomb of gzip is as long as it came", async () => {
    const bomb = gzipSync(Buffer.alloc(32 * KB * KB));
    const port = await speaking((socket) => {
      socket.write(
        `HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: ${bomb.length}\r\n\r\n`,
      );
      socket.end(bomb);
    });
    expect(await outcomeOf(port)).toEqual([200, Math.min(bomb.length, 64 * KB)]);
  });

  it("has 64 KB read, whatever it says of its length", async () => {
    const lies = await speaking((socket) => {
      socket.write(`HTTP/1.1 200 OK\r\nContent-Length: ${1e15}\r\n\r\n`);
      socket.write(Buffer.alloc(1_024 * KB));
    });
    const chunk = `1000000\r\n${"x".repeat(1_024 * KB)}`;
    const chunked = await speaking((socket) => {
      socket.write(`HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n${chunk}`);
    });
    expect([await outcomeOf(lies), await outcomeOf(chunked)]).toEqual([
      [200, 64 * KB],
      [200, 64 * KB],
    ]);
  });

  it.each([
    ["one header of 1 MB", `X: ${"x".repeat(1_024 * KB)}`],
    ["100,000 headers", "X: y\r\n".repeat(100_000)],
    ["two lengths that differ", "Content-Length: 1\r\nContent-Length: 2"],
    ["a length and chunks", "Content-Length: 1\r\nTransfer-Encoding: chunked"],
    ["a header without an end", "X: y\rZ: w"],
  ])("with %s is none", async (_, headers) => {
    const port = await speaking((socket) => {
      socket.write(`HTTP/1.1 200 OK\r\n${headers}\r\n\r\n`);
    });
    expect(await outcomeOf(port)).toBe("not_http");
  });

  it("that only announces itself, without end, is cut off with those that drip", async () => {
    const again = (socket: Socket, text: string, everyMs: number) => {
      const timer = setInterval(() => socket.write(text), everyMs);
      socket.once("close", () => clearInterval(timer));
    };
    const hints = await speaking((socket) =>
      again(socket, "HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n".repeat(100), 20),
    );
    const header = await speaking((socket) => {
      socket.write("HTTP/1.1 200 OK\r\n");
      again(socket, "X: y\r\n", 200);
    });
    const body = await speaking((socket) => {
      socket.write("HTTP/1.1 500 Oh\r\nContent-Length: 1000\r\n\r\n");
      again(socket, "z", 200);
    });
    const [ofHints, ofHeader, ofBody] = await Promise.all(
      [hints, header, body].map((port) => outcomeOf(port)),
    );
    expect([ofHints, ofHeader]).toEqual(["timeout", "timeout"]);
    expect(ofBody).toEqual([500, expect.any(Number)]);
  });
});

/** From Node 22.19 on. */
const canTrust = "setDefaultCACertificates" in tls;

describe("TLS", () => {
  const authority = new Authority();
  const before = canTrust ? tls.getCACertificates("default") : [];
  afterAll(() => {
    if (canTrust) tls.setDefaultCACertificates(before);
    else console.log("not tested on this Node: certificates that are trusted");
  });

  const serving = (certificate: { key: string; cert: string }, options = {}) =>
    listening(
      createHttps({ ...certificate, ...options }, (_, response) => void response.end("hello")),
    );

  it("has its failures named", async () => {
    const good = await serving(authority.issue(["hooks.test"]));
    const plain = await speaking((socket) => socket.end("HTTP/1.1 200 OK\r\n\r\n"));
    const old = await serving(authority.issue(["hooks.test"]), {
      maxVersion: "TLSv1.1",
      minVersion: "TLSv1",
      ciphers: "ALL:@SECLEVEL=0",
    });
    const over = (port: number, host = "hooks.test") => outcomeOf(port, host, "https");
    expect(await over(good)).toBe("certificate_untrusted");
    expect(await over(plain)).toBe("tls");
    expect(await over(old)).toBe("tls");
    if (!canTrust) return;
    tls.setDefaultCACertificates([...before, authority.cert]);
    expect(await over(good)).toEqual([200, 5]);
    expect(await over(good, "other.test")).toBe("certificate_name");
  });

  it.each([
    ["CERT_HAS_EXPIRED", "certificate_expired"],
    ["CERT_NOT_YET_VALID", "certificate_expired"],
    ["CERT_REVOKED", "certificate_untrusted"],
    ["UNABLE_TO_VERIFY_LEAF_SIGNATURE", "certificate_untrusted"],
    ["ERR_SSL_SSLV3_ALERT_HANDSHAKE_FAILURE", "tls"],
    ["ECONNRESET", "unreachable"],
  ])("%s is %s", (code, reason) => {
    expect(failureOf(Object.assign(new Error(), { code })).reason).toBe(reason);
  });
});
