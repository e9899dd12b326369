import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { once } from "node:events";
import { createServer as createHttp } from "node:http";
import { createServer as createHttps } from "node:https";
import { createServer as createTcp, type Socket } from "node:net";
import * as tls from "node:tls";
import { gzipSync } from "node:zlib";
import { Authority } from "@deed/dns/testing/certificates.ts";
import { afterAll, afterEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { listening, portOf } from "../testing/servers.ts";
import { failureOf, OutboundError } from "./failures.ts";
import { ANYWHERE, createOutbound } from "./outbound.server.ts";

afterEach(() => void vi.useRealTimers());

const loopback = createOutbound({
  allowed: ["127.0.0.0/8"],
  denied: ["127.0.0.9/32"],
  resolve: (name) =>
    name === "never.test"
      ? new Promise(() => {})
      : Promise.resolve(name === "nothing.test" ? [] : ["127.0.0.1"]),
});
const outside = createOutbound({ allowed: [], denied: ["198.41.0.4/32"] });

const speaking = (speak: (socket: Socket) => void) =>
  portOf(
    createTcp((socket) => {
      socket.on("error", () => {}).once("data", () => speak(socket));
    }),
  );
const saying = (text: string) => speaking((socket) => socket.write(text));

/** The status and the length of the answer, or why there was no answer. */
const outcomeOf = (url: number | string): Promise<unknown> =>
  loopback
    .call({
      method: "POST",
      url: typeof url === "number" ? `http://127.0.0.1:${url}/` : url,
      body: "{}",
    })
    .then(
      ({ status, body }) => [status, body.length],
      (error) => (error instanceof OutboundError ? error.reason : error),
    );

const KB = 1_024;

/** Addresses that are not public, in every form that a URL may have. */
const ADDRESSES =
  `127.0.0.1 0x7f.1 2130706433 017700000001 127.1 ①②⑦.0.0.1 127.0.0.1. 0 0.0.0.0 [::]
  [::127.0.0.1] [64:ff9b:1::7f00:1] 10.0.0.1 169.254.169.254 168.63.129.16 [::1]
  [::ffff:127.0.0.1] [::ffff:7f00:1] [64:ff9b::7f00:1] [64:ff9b::808:808]
  [2002:7f00:1::] [2001::1] [fe80::1] [fd00:ec2::254]`.split(/\s+/);

describe("C26.3: a URL", () => {
  it.each([
    [/is not a URL/, "nonsense", "https://[fe80::1%25eth0]/"],
    [/must start with https/, "ftp://example.org/", "http://example.org/"],
    [/user name/, "https://user:secret@example.org/", "https://:secret@example.org/"],
    [/#/, "https://example.org/#part"],
    [/port 443/, "https://example.org:25/", "https://example.org:0/", "https://example.org:00/"],
    [/2048 characters/, `https://example.org/${"x".repeat(2_048)}`],
    [/198\.41\.0\.4, which is not/, "https://198.41.0.4/"],
    [/which is not a public address/, ...ADDRESSES.map((host) => `https://${host}/`)],
  ] as [RegExp, ...string[]][])("is refused: %s", (why, ...urls) => {
    for (const url of urls) expect(outside.problem(url), url).toMatch(why);
  });

  it.each([
    "https://example.org/",
    "https://example.org:8443/path?query=1",
    "https://xn--bcher-kva.example/",
    "https://bücher.example/",
    "https://8.8.8.8/",
    "https://[2606:4700::1111]/",
    // Names do not show where they lead.
    "https://example.org./",
    "https://localhost/",
  ])("%s is taken", (url) => {
    expect(outside.problem(url)).toBeNull();
  });

  it("may be plain http where the operator allows addresses, and only there", () => {
    expect(loopback.problem("http://127.0.0.1:8080/")).toBeNull();
    expect(loopback.problem("http://127.0.0.9/")).toMatch(/not a public address/);
    expect(loopback.problem("http://127.0.0.1:0/")).toMatch(/port 80, or one from 1024 up/);
    // Neither another address nor a name, because a name may lead anywhere.
    for (const host of ["8.8.8.8", "hooks.test", "localhost", "127.0.0.1.example"])
      expect(loopback.problem(`http://${host}/`)).toMatch(/must start with https/);
    const anywhere = createOutbound({ allowed: ANYWHERE, denied: [] });
    expect(anywhere.problem("http://timestamp.digicert.com")).toBeNull();
    expect(anywhere.problem("http://169.254.169.254/")).toMatch(/not a public address/);
  });
});

describe("a call", () => {
  it("sends what it is given, and returns the answer, even a redirect", async () => {
    const asked: unknown[] = [];
    const server = createHttp((request, response) => {
      asked.push(request.headers.host, request.method);
      request.pipe(response.writeHead(307, { "Retry-After": "7", Location: "/again" }));
    });
    const port = await portOf(server);
    const url = `http://127.0.0.1:${port}/x`;
    const { status, headers, body } = await loopback.call({ method: "POST", url, body: "über" });
    expect([status, headers["retry-after"], String(body)]).toEqual([307, "7", "über"]);
    expect(asked).toEqual([`127.0.0.1:${port}`, "POST"]);
  });

  it("reads 64 KB of an endless answer and closes the connection", async () => {
    let sent = 0;
    const server = createHttp((_, response) => {
      const write = () => {
        while (!response.destroyed && response.write(Buffer.alloc(65_536))) sent += 65_536;
      };
      response.on("drain", write).once("close", () => server.emit("cut"));
      write();
    });
    const cut = once(server, "cut");
    expect(await outcomeOf(await portOf(server))).toEqual([200, 65_536]);
    await cut;
    expect(sent).toBeLessThan(64 * 1024 * 1024);
  });

  it("says why there was no answer", async () => {
    const junk = await speaking((socket) => socket.end("SSH-2.0-nothing\r\n"));
    const upgrade = await saying(
      "HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n",
    );
    const { port: closedPort, stop } = await listening(createTcp());
    stop();
    expect(await outcomeOf(junk)).toBe("not_http");
    expect(await outcomeOf(upgrade)).toMatch(/not_http|unreachable/);
    expect(await outcomeOf(closedPort)).toBe("unreachable");
    expect(await outcomeOf("https://nothing.test/")).toBe("name_not_found");
    expect(await outcomeOf("https://127.0.0.9/")).toBe("bad_url");
  });

  it("ends after five seconds, whatever comes of the name, the connection or the answer", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const asked: string[] = [];
    const saying = (what: string, start: string, again = "") =>
      speaking((socket) => {
        socket.write(start);
        asked.push(what);
        const timer = setInterval(() => socket.write(again), 20);
        socket.once("close", () => clearInterval(timer));
      });
    const hints = "HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n";
    const begun = new Promise<void>((resolve) => {
      const onResponse = () => resolve();
      subscribe("http.client.response.finish", onResponse);
      onTestFinished(() => void unsubscribe("http.client.response.finish", onResponse));
    });
    const calls = [
      "https://never.test/",
      await saying("silent", ""),
      await saying("hints", hints, hints.repeat(100)),
      await saying("header", "HTTP/1.1 200 OK\r\n", "X: y\r\n"),
      await saying("body", "HTTP/1.1 500 Oh\r\nContent-Length: 1000\r\n\r\n", "z"),
    ].map(outcomeOf);
    await begun;
    await vi.waitUntil(() => asked.length === 4, 10_000);
    vi.advanceTimersByTime(4_999);
    expect(await Promise.race([...calls, "none"])).toBe("none");
    vi.advanceTimersByTime(1);
    const timeouts = ["timeout", "timeout", "timeout", "timeout"];
    expect(await Promise.all(calls)).toEqual([...timeouts, [500, expect.any(Number)]]);
  });
});

describe("an answer", () => {
  it("may end with its connection, at once or later", async () => {
    const head = "HTTP/1.1 200 OK\r\n\r\n";
    const atOnce = await speaking((socket) => socket.end(`${head}hello`));
    const later = await speaking((socket) => {
      socket.write(`${head}hel`);
      // Two turns of the event loop later, so that the first part is read alone.
      setImmediate(() => setImmediate(() => socket.end("lo")));
    });
    for (let round = 0; round < 5; round++)
      for (const port of [atOnce, later]) expect(await outcomeOf(port)).toEqual([200, 5]);
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

  it.each([
    ["its length", `Content-Length: ${1e15}\r\n\r\n`],
    ["a chunk's", "Transfer-Encoding: chunked\r\n\r\n1000000\r\n"],
  ])("has 64 KB read, whatever it says of %s", async (_, header) => {
    const port = await saying(`HTTP/1.1 200 OK\r\n${header}${"x".repeat(KB * KB)}`);
    expect(await outcomeOf(port)).toEqual([200, 64 * KB]);
  });

  it.each([
    ["one header of 1 MB", `X: ${"x".repeat(1_024 * KB)}`],
    ["100,000 headers", "X: y\r\n".repeat(100_000)],
    ["two lengths that differ", "Content-Length: 1\r\nContent-Length: 2"],
    ["a length and chunks", "Content-Length: 1\r\nTransfer-Encoding: chunked"],
    ["a header without an end", "X: y\rZ: w"],
  ])("with %s is none", async (_, headers) => {
    expect(await outcomeOf(await saying(`HTTP/1.1 200 OK\r\n${headers}\r\n\r\n`))).toBe("not_http");
  });
});

/** Node 22.19 and later have this. */
const canTrust = "setDefaultCACertificates" in tls;

describe("TLS", () => {
  const authority = new Authority();
  const before = canTrust ? tls.getCACertificates("default") : [];
  afterAll(() => {
    if (canTrust) tls.setDefaultCACertificates(before);
    else console.log("not tested on this Node: certificates that are trusted");
  });

  const serving = (certificate: { key: string; cert: string }, options = {}) =>
    portOf(
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
    const over = (port: number, host = "hooks.test") => outcomeOf(`https://${host}:${port}/`);
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
