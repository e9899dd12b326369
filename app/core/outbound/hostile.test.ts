import { createServer as createHttps } from "node:https";
import { type AddressInfo, createServer as createTcp, type Server, type Socket } from "node:net";
import * as tls from "node:tls";
import { gzipSync } from "node:zlib";
import { Authority } from "@deed/dns/testing/certificates.ts";
import { afterAll, afterEach, describe, expect, it } from "vitest";
import { failureOf, OutboundError } from "./failures.ts";
import { createOutbound } from "./outbound.server.ts";

const outbound = createOutbound({
  allowed: ["127.0.0.1/32"],
  denied: [],
  resolve: async () => ["127.0.0.1"],
});
const open: { close(): unknown }[] = [];
afterEach(() => {
  for (const one of open.splice(0)) one.close();
});

async function listening(server: Server): Promise<number> {
  open.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return (server.address() as AddressInfo).port;
}

/** A receiver that says what `speak` writes, once it was asked. */
const speaking = (speak: (socket: Socket) => void) =>
  listening(
    createTcp((socket) => {
      socket.on("error", () => {}).once("data", () => speak(socket));
    }),
  );

/** The status and the length of the answer, or why there was none. */
const outcomeOf = async (port: number, host = "hooks.test", scheme = "http") => {
  const url = `${scheme}://${host}:${port}/`;
  try {
    const { status, body } = await outbound.call({ method: "POST", url, body: "{}" });
    return [status, body.length];
  } catch (error) {
    return error instanceof OutboundError ? error.reason : error;
  }
};

const KB = 1_024;

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
      again(socket, "HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n".repeat(100), 1),
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
    const over = (port: number, host?: string) => outcomeOf(port, host, "https");
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
