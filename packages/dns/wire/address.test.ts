import ipaddr from "ipaddr.js";
import { describe, expect, it } from "vitest";
import { specialBlocks } from "../../../tests/data/index.ts";
import { addressPolicy, canonicalAddress } from "./address.ts";

function ends(cidr: string): string[] {
  const [address = "", length = "0"] = cidr.split("/");
  const bytes = ipaddr.parse(address).toByteArray();
  const last = bytes.map((byte, index) => {
    const fixed = Math.min(8, Math.max(0, Number(length) - 8 * index));
    return byte | (0xff >> fixed);
  });
  return [bytes, last].map((one) => ipaddr.fromByteArray(one).toString());
}

describe("C8.9: the address policy", () => {
  const permits = addressPolicy([]);

  it("refuses both ends of every block of the IANA special-purpose registries", () => {
    const blocks = specialBlocks();
    expect(blocks.length).toBe(48);
    expect(blocks.flatMap(ends).filter((address) => permits(address))).toEqual([]);
  });

  const PERMITTED = `8.8.8.8 198.41.0.4 192.0.1.255 100.63.255.255 172.32.0.0 223.255.255.255
    2001:503:ba3e::2:30 2001:200::1 2a00:1450:4001::1 2620:4f:8001::1`;
  it.each(PERMITTED.split(/\s+/))("permits %s", (one) => expect(permits(one)).toBe(true));

  const REFUSED = `127.0.0.1 169.254.169.254 224.0.0.1 255.255.255.255 :: ::1 ::ffff:8.8.8.8
    ::ffff:0808:0808 ::8.8.8.8 64:ff9b::808:808 64:ff9b:1::1 2002:808:808::1 2001:0:808:808::1
    fd00:ec2::254 fe80::1 fe80::1%eth0 fec0::1 ff02::1 4000::1 localhost 0x7f.1`;
  it.each([...REFUSED.split(/\s+/), ""])("refuses %s", (one) => expect(permits(one)).toBe(false));

  it("allows exceptions within their own address family only", () => {
    const lab = addressPolicy(["127.0.0.0/8", "fd00::/8"]);
    expect(["127.9.9.9", "fd12::1", "9.9.9.9"].map(lab)).toEqual([true, true, true]);
    expect(["::ffff:127.0.0.1", "10.0.0.1", "fe80::1"].map(lab)).toEqual([false, false, false]);
  });
});

const CLOUDS = `168.63.129.16 169.254.169.254 169.254.169.253 100.100.100.200 192.0.0.192
  161.26.0.7 183.60.83.19 fd00:ec2::253 fd20:ce::254`.split(/\s+/);

it("cloud-internal addresses are refused even if allowed", () => {
  const everything = addressPolicy(["0.0.0.0/0", "::/0"]);
  expect(CLOUDS.filter(addressPolicy([]))).toEqual([]);
  expect(CLOUDS.filter(everything)).toEqual([]);
  expect(["168.63.129.15", "168.63.129.17", "10.0.0.1", "fd00::1"].map(everything)).toEqual(
    Array(4).fill(true),
  );
});

it("addresses denied by the operator are refused even if public or allowed", () => {
  const permits = addressPolicy(["10.0.0.0/8"], ["10.9.0.0/16", "198.41.0.4/32", "2a00::/16"]);
  expect(["10.9.1.1", "198.41.0.4", "2a00::1"].map(permits)).toEqual([false, false, false]);
  expect(["10.8.1.1", "198.41.0.5", "2a01::1"].map(permits)).toEqual([true, true, true]);
});

it("canonicalAddress formats an address as sockets report it", () => {
  expect(canonicalAddress("2001:0503:BA3E:0:0:0:2:30")).toBe("2001:503:ba3e::2:30");
  expect(canonicalAddress("192.0.2.1")).toBe("192.0.2.1");
  expect(canonicalAddress("ns1.acme.test")).toBeNull();
});
