import { describe, expect, it } from "vitest";
import { isDsOf, zoneKey } from "./dnskey.ts";

/** A DNSKEY record and its DS records in zone-file format. */
type Published = { from: string; owner: string; key: string; ds: string[] };

const PUBLISHED: Published[] = [
  {
    from: "RFC 4034 section 5.4 and RFC 4509 section 2.3",
    owner: "dskey.example.com",
    key: "256 3 5 AQOeiiR0GOMYkDshWoSKz9XzfwJr1AYtsmx3TGkJaNXVbfi/2pHm822aJ5iI9BMzNXxeYCmZDRD99WYwYqUSdjMmmAphXdvxegXd/M5+X7OrzKBaMbCVdFLUUh6DhweJBjEVv5f2wwjM9XzcnOf+EPbtG9DMBmADjFDc2w/rljwvFw==",
    ds: [
      "60485 5 1 2BB183AF5F22588179A53B0A98631FAD1A292118",
      "60485 5 2 D4B7D520E7BB5F0F67674A0CCEB1E3E0614B93C4F9E99B8383F6A1E4469DA50A",
    ],
  },
  {
    from: "RFC 6605 section 6.1",
    owner: "example.net",
    key: "257 3 13 GojIhhXUN/u4v54ZQqGSnyhWJwaubCvTmeexv7bR6edbkrSqQpF64cYbcB7wNcP+e+MAnLr+Wi9xMWyQLc8NAA==",
    ds: ["55648 13 2 B4C8C1FE2E7477127B27115656AD6256F424625BF5C1E2770CE6D6E37DF61D17"],
  },
  {
    from: "RFC 6605 section 6.2",
    owner: "example.net",
    key: "257 3 14 xKYaNhWdGOfJ+nPrL8/arkwf2EY3MDJ+SErKivBVSum1w/egsXvSADtNJhyem5RCOpgQ6K8X1DRSEkrbYQ+OB+v8/uX45NBwY8rp65F6Glur8I/mlVNgF6W/qTI37m40",
    ds: [
      "10771 14 4 72D7B62976CE06438E9C0BF319013CF801F09ECC84B8D7E9495F27E305C6A9B0563A9B5F4D288405C3008A946DF983D6",
    ],
  },
  {
    from: "RFC 8080 section 6.1",
    owner: "example.com",
    key: "257 3 15 l02Woi0iS8Aa25FQkUd9RMzZHJpBoRQwAQEX1SxZJA4=",
    ds: ["3613 15 2 3AA5AB37EFCE57F737FC1627013FEE07BDF241BD10F3B1964AB55C78E79A304B"],
  },
  {
    from: "the root's trust anchor of 2017",
    owner: ".",
    key: "257 3 8 AwEAAaz/tAm8yTn4Mfeh5eyI96WSVexTBAvkMgJzkKTOiW1vkIbzxeF3+/4RgWOq7HrxRixHlFlExOLAJr5emLvN7SWXgnLh4+B5xQlNVz8Og8kvArMtNROxVQuCaSnIDdD5LKyWbRd2n9WGe2R8PzgCmr3EgVLrjyBxWezF0jLHwVN8efS3rCj/EWgvIWgb9tarpVUDK/b58Da+sqqls3eNbuv7pr+eoZG+SrDK6nWeL3c6H5Apxz7LjVc1uTIdsIXxuOLYA4/ilBmSVIzuDWfdRUfhHdY6+cn8HFRm+2hM8AnXGXws9555KrUB5qihylGa8subX2Nn6UwNR1AkUTV74bU=",
    ds: ["20326 8 2 E06D44B80B8F1D39A95C0B0D7C65D08458E880409BBC683457104237C7F8EC8D"],
  },
  {
    from: "BIND's dnssec-keygen and dnssec-dsfromkey",
    owner: "rsasha256.example",
    key: "256 3 8 AwEAAaIMLIlXfx9dMEH8sfl21M+nKvsYH1MzRuS5p/mhNDSlfcDMGMRv RJ4rPLiTxwINRxOvnHxEc4FWbQgYL8fYegU+np7cb9NiJZ2Ggq7c5aKx eEE4jLnesGwXmqOsDCDRFuVk+PaAE7Uah1xuoCdYGBOJS+IJ5QAakRkz 3hHIy4NdRblCSXXF3i6eekRfeZSbw/3txdctTZFyiru1KweEqk73EKRX e2i9minNewzR0IOGeNfgbkan22SFrT8J1lVPQkwo6jATCnjiE0YnQlvX yP0E+JR3H583DDC26OobEwuHncZWevoA2HWZn74zUrgD31iKSez2BmXE evoviZowC5U=",
    ds: [
      "29593 8 1 A6CB7602D85C29DF3854EBD7DF68E778CFA8915F",
      "29593 8 2 BD0DF3A48DC58119E83F2B26FD0874A81922592BA0B4C9E47795DFA2F67A4A07",
      "29593 8 4 1FD1E1E09559B718C77ABD4AB8CCAE36C0DAF13E9D24760CB6F8B6D51E58D0C7FFFCFC0113C77F87A9290BB701586691",
    ],
  },
  {
    from: "BIND's dnssec-keygen and dnssec-dsfromkey",
    owner: "ed25519.example",
    key: "257 3 15 snXmMAzi0FALEiW5Y3BwaIaMxDWhpFpjlR0mf9bRwYc=",
    ds: [
      "6478 15 1 B8C4E2F8F3651721F13233EEAEDD01775184AA40",
      "6478 15 2 FCE21547AE378468E0F8BA3FAB8AC42DEFFFF6A1F8B9D7E82056EEB5DE6649E2",
      "6478 15 4 7AD61A943BBCC20909C25545935219554F56C0546B70BA7089B66E7FE0A68F84330C3869E256C5BC690E65D6958695B9",
    ],
  },
];

function rdataOf(line: string): string {
  const [flags, protocol, algorithm, ...key] = line.split(" ");
  const head = Buffer.from([
    Number(flags) >> 8,
    Number(flags) & 0xff,
    Number(protocol),
    Number(algorithm),
  ]);
  return Buffer.concat([head, Buffer.from(key.join(""), "base64")]).toString("hex");
}
function dsOf(line: string) {
  const [keyTag, algorithm, digestType, digest = ""] = line.split(" ");
  return {
    keyTag: Number(keyTag),
    algorithm: Number(algorithm),
    digestType: Number(digestType),
    digest: digest.toLowerCase(),
  };
}

describe.each(PUBLISHED)("the key of $owner, from $from", ({ owner, key, ds }) => {
  const read = zoneKey(rdataOf(key));

  it.each(ds)("is the one of DS %s", (line) => {
    if (!read) throw new Error("not a key");
    const published = dsOf(line);
    expect(read).toMatchObject({
      keyTag: published.keyTag,
      algorithm: published.algorithm,
      isEntryPoint: key.startsWith("257 "),
    });
    expect(isDsOf(published, owner, read)).toBe(true);
    expect(isDsOf(published, "other.example", read)).toBe(false);
    for (const changed of [
      { keyTag: published.keyTag ^ 1 },
      { algorithm: published.algorithm + 1 },
      { digestType: 3 },
      { digest: published.digest.replace(/.$/, (digit) => (digit === "0" ? "1" : "0")) },
      { digest: "" },
    ])
      expect(isDsOf({ ...published, ...changed }, owner, read)).toBe(false);
  });
});

describe("a DNSKEY record", () => {
  const key =
    "GojIhhXUN/u4v54ZQqGSnyhWJwaubCvTmeexv7bR6edbkrSqQpF64cYbcB7wNcP+e+MAnLr+Wi9xMWyQLc8NAA==";

  it.each([
    ["without the Zone Key flag", `1 3 13 ${key}`],
    ["revoked", `385 3 13 ${key}`],
    ["of another protocol", `257 2 13 ${key}`],
    ["of RSA/MD5", `257 3 1 ${key}`],
    ["without a key", "257 3 13 "],
  ])("%s signs no zone", (_, line) => {
    expect(zoneKey(rdataOf(line))).toBeNull();
  });

  it.each(["", "01", "010103"])("is rejected if cut off at %j", (rdata) => {
    expect(zoneKey(rdata)).toBeNull();
  });
});
