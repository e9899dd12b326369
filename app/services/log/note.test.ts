import { expect, it } from "vitest";
import { signerOf } from "../receipts/signer.server.ts";
import { signCheckpoint, tlogProof, verifierKey } from "./note.ts";

it("writes the verifier key of the example in C2SP signed-note", () => {
  const x = Buffer.from("AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k", "base64").subarray(1);
  const jwk = { crv: "Ed25519", kty: "OKP", x: x.toString("base64url") } as const;
  expect(verifierKey("example.com/foo", { jwk })).toBe(
    "example.com/foo+530d903a+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k",
  );
});

it("writes checkpoints and proofs line by line", () => {
  const signer = signerOf("5".repeat(64));
  const checkpoint = signCheckpoint(
    "deed.test/log/01234567",
    2,
    new Uint8Array(32).fill(7),
    signer,
  );
  const root = "BwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwc=";
  const [text, signature = "", ...rest] = checkpoint.split("\n\n");
  expect(text).toBe(`deed.test/log/01234567\n2\n${root}`);
  expect(rest).toEqual([]);
  expect(signature).toMatch(/^— deed\.test\/log\/01234567 [A-Za-z0-9+/]{91}=\n$/);
  expect(tlogProof(1, [new Uint8Array(32).fill(7)], checkpoint)).toBe(
    `c2sp.org/tlog-proof@v1\nindex 1\n${root}\n\n${checkpoint}`,
  );
  expect(tlogProof(0, [], checkpoint)).toBe(`c2sp.org/tlog-proof@v1\nindex 0\n\n${checkpoint}`);
});
