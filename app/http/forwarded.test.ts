import type { IncomingMessage } from "node:http";
import { describe, expect, it } from "vitest";
import { clientAddresses, foldAddress, forwardingWatch } from "./connection.server.ts";

const clientAddress = clientAddresses(["10.0.0.0/8", "fd00::/8"]);

const requestFrom = (remoteAddress: string, forwardedFor: string | undefined) =>
  ({
    socket: { remoteAddress },
    headers: { "x-forwarded-for": forwardedFor },
  }) as unknown as IncomingMessage;

describe("clientAddresses", () => {
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
  ])("is %s", (_, socket, forwarded, expected) => {
    expect(clientAddress(requestFrom(socket, forwarded))).toBe(expected);
  });
});

describe("foldAddress", () => {
  it("drops a zone id", () => expect(foldAddress("fe80::1%eth0")).toBe("fe80::1"));
  it("leaves IPv6 as it is", () => expect(foldAddress("2001:db8::1")).toBe("2001:db8::1"));
});

describe("forwardingWatch", () => {
  it("reports a neighbour that is not trusted, once an hour", () => {
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
});
