import { generateKeyPairSync, sign } from "node:crypto";
import { expect, it } from "vitest";
import { isSignedBy } from "./signature.ts";

it.each([
  [1_016, false],
  [1_024, true],
  [4_096, true],
  [4_104, false],
])("counts the signature of an RSA key of %i bits: %s", async (modulusLength, counts) => {
  const { publicKey, privateKey } = generateKeyPairSync("rsa", { modulusLength });
  const { n = "", e = "" } = publicKey.export({ format: "jwk" });
  const exponent = Buffer.from(e, "base64url");
  const key = Buffer.concat([Buffer.of(exponent.length), exponent, Buffer.from(n, "base64url")]);
  const data = Buffer.from("signed");
  const signature = sign("sha256", data, privateKey);
  const octets = (bytes: Buffer) => new Uint8Array(bytes);
  expect(await isSignedBy(8, octets(key), octets(signature), octets(data))).toBe(counts);
});
