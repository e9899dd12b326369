import { createHash, generateKeyPairSync, sign } from "node:crypto";
import { afterEach, expect, it, vi } from "vitest";
import { messagesOf, questionOf, vector } from "../testing/dnssec/vectors.ts";
import { isSignedBy } from "./signature.ts";

afterEach(() => void vi.resetModules());

it("leaves open only what nothing but Ed448 can follow, where the platform lacks it", async () => {
  const { importKey } = crypto.subtle;
  vi.spyOn(crypto.subtle, "importKey").mockImplementation(((...given: unknown[]) => {
    const [, , { name } = { name: "" }] = given as [string, unknown, { name: string }];
    if (name === "Ed448") return Promise.reject(new Error("no Ed448"));
    return Reflect.apply(importKey, crypto.subtle, given);
  }) as typeof importKey);
  vi.resetModules();
  const { validate } = await import("./validate.ts");
  const told = async (zone: string) => {
    const one = vector(zone);
    const judgement = await validate(messagesOf(one), questionOf(one));
    return judgement.verdict === "secure"
      ? "secure"
      : `${judgement.verdict} ${judgement.reason.type}`;
  };
  expect(await told("bind-16-nsec.test")).toBe("indeterminate no_ed448");
  expect(await told("unknown-algorithm.test")).toBe("insecure ds_unsupported");
  expect(await told("bind-13-nsec.test")).toBe("secure");
});

const octets = (...parts: (Uint8Array | number[])[]) =>
  Uint8Array.from(Buffer.concat(parts.map(Buffer.from)));
/** The modulus of a new RSA key with the exponent 65537, and its signature over some data. */
function signedByRsa(modulusLength: number) {
  const { publicKey, privateKey } = generateKeyPairSync("rsa", { modulusLength });
  const modulus = Buffer.from(publicKey.export({ format: "jwk" }).n ?? "", "base64url");
  const data = Uint8Array.of(1, 2, 3);
  return { modulus, data, signature: octets(sign("sha256", data, privateKey)) };
}

it.each([
  [1_016, false],
  [1_024, true],
  [4_096, true],
  [4_104, false],
])("counts the signature of an RSA key of %i bits: %s", async (bits, counts) => {
  const { modulus, data, signature } = signedByRsa(bits);
  expect(await isSignedBy(8, octets([3, 1, 0, 1], modulus), signature, data)).toBe(counts);
});

it("takes RSA keys whose exponent is written as usual, and no others", async () => {
  const { modulus, data, signature } = signedByRsa(2_048);
  for (const head of [
    [4, 0, 1, 0, 1],
    [0, 0, 3, 1, 0, 1],
  ])
    expect(await isSignedBy(8, octets(head, modulus), signature, data)).toBe(false);
  // With exponent 1, the padded hash of any text is its own signature.
  const info = Buffer.from("3031300d060960864801650304020105000420", "hex");
  const hash = createHash("sha256").update(data).digest();
  const filler = Buffer.alloc(modulus.length - 3 - info.length - hash.length, 0xff);
  const padded = octets([0, 1], filler, [0], info, hash);
  expect(await isSignedBy(8, octets([1, 1], modulus), padded, data)).toBe(false);
});
