import { createPublicKey, verify } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { signerOf, thumbprint } from "#app/services/receipts/signer.server.ts";
import { parseEnvironment } from "./env.server.ts";
import { loadSigners, newSigningKey } from "./signing-keys.server.ts";

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), "deed-signer-"));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

it("makes a key once, readable by its owner only", () => {
  const DATA_DIR = join(folder(), "new");
  const [first] = loadSigners(parseEnvironment({ DATA_DIR }));
  const [again, ...older] = loadSigners(parseEnvironment({ DATA_DIR }));
  expect([again.kid, older]).toEqual([first.kid, []]);
  expect(readdirSync(DATA_DIR)).toEqual(["signing-key"]);
  expect(statSync(join(DATA_DIR, "signing-key")).mode & 0o777).toBe(0o600);
  expect(readFileSync(join(DATA_DIR, "signing-key"), "utf8")).toMatch(/^[0-9a-f]{64}\n$/);
  const octets = Buffer.from("octets");
  const key = createPublicKey({ key: { ...first.jwk }, format: "jwk" });
  expect(verify(null, octets, key, again.sign(octets))).toBe(true);
  expect(thumbprint(first.jwk)).toBe(first.kid);
});

it("takes the keys of SIGNING_KEY, newest first, and keeps none", () => {
  const DATA_DIR = folder();
  const [fresh, old] = [newSigningKey(), newSigningKey()];
  const env = parseEnvironment({ DATA_DIR, SIGNING_KEY: `${fresh.toUpperCase()}, ${old}` });
  expect(loadSigners(env).map(({ kid }) => kid)).toEqual([signerOf(fresh).kid, signerOf(old).kid]);
  expect(readdirSync(DATA_DIR)).toEqual([]);
});

it.each(["", "short", "g".repeat(64), `${"a".repeat(64)},b`])("takes no file with %j", (text) => {
  const DATA_DIR = folder();
  writeFileSync(join(DATA_DIR, "signing-key"), text);
  expect(() => loadSigners(parseEnvironment({ DATA_DIR }))).toThrow(/holds no signing key/);
});
