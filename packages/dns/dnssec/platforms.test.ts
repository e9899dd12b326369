import { createHash, generateKeyPairSync, sign } from "node:crypto";
import { afterEach, expect, it, vi } from "vitest";
import { messagesOf, questionOf, vector } from "../testing/dnssec/vectors.ts";
import { isSignedBy } from "./signature.ts";

afterEach(() => {
  vi.restoreAllMocks();
  vi.resetModules();
});

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

it("takes RSA keys whose numbers are written as usual, and no others", async () => {
  const { publicKey, privateKey } = generateKeyPairSync("rsa", { modulusLength: 2_048 });
  const modulus = Buffer.from(publicKey.export({ format: "jwk" }).n ?? "", "base64url");
  const data = Uint8Array.of(1, 2, 3);
  const signature = Uint8Array.from(sign("sha256", data, privateKey));
  const fits = (...exponent: number[]) => {
    const key = Uint8Array.from([exponent.length, ...exponent, ...modulus]);
    return isSignedBy(8, key, signature, data);
  };
  expect(await fits(1, 0, 1)).toBe(true);
  expect(await fits(0, 1, 0, 1)).toBe(false);
  const long = Uint8Array.from([0, 0, 3, 1, 0, 1, ...modulus]);
  expect(await isSignedBy(8, long, signature, data)).toBe(false);
  // With the exponent 1, the padded hash of any text is its own signature.
  const info = Buffer.from("3031300d060960864801650304020105000420", "hex");
  const hash = createHash("sha256").update(data).digest();
  const filler = Buffer.alloc(modulus.length - 3 - info.length - hash.length, 0xff);
  const padded = Buffer.concat([Buffer.of(0, 1), filler, Buffer.of(0), info, hash]);
  const one = Uint8Array.from([1, 1, ...modulus]);
  expect(await isSignedBy(8, one, Uint8Array.from(padded), data)).toBe(false);
});
