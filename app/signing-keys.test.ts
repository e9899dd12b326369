import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { signerOf } from "#app/services/receipts/signer.server.ts";
import { parseEnvironment } from "./env.server.ts";
import { addKey, loadKeyring, newSigningKey } from "./signing-keys.server.ts";

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), "deed-signer-"));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

function load(source: Record<string, string>) {
  const warned: object[] = [];
  const quiet = () => {};
  const log = {
    debug: quiet,
    info: quiet,
    error: quiet,
    warn: (fields: object) => warned.push(fields),
  };
  const keys = loadKeyring(parseEnvironment(source), log as never);
  return { keys, warned };
}

const textIn = (folder: string) => readFileSync(join(folder, "signing-key"), "utf8");

it("makes a key once, readable by its owner only", () => {
  const DATA_DIR = join(folder(), "new");
  const first = load({ DATA_DIR }).keys;
  const again = load({ DATA_DIR }).keys;
  expect([again.kid, again.hasFormer]).toEqual([first.kid, false]);
  expect(readdirSync(DATA_DIR)).toEqual(["signing-key"]);
  expect(statSync(join(DATA_DIR, "signing-key")).mode & 0o777).toBe(0o600);
  expect(textIn(DATA_DIR)).toMatch(/^[0-9a-f]{64}\n$/);
  expect(signerOf(textIn(DATA_DIR).trim()).kid).toBe(first.kid);
});

it("takes the keys of SIGNING_KEY, newest first, keeps none, and says when one is enough", () => {
  const DATA_DIR = folder();
  const [fresh, old] = [newSigningKey(), newSigningKey()];
  const { keys, warned } = load({ DATA_DIR, SIGNING_KEY: `${fresh.toUpperCase()}, ${old}` });
  expect(keys.newest.kid).toBe(signerOf(fresh).kid);
  expect(keys.use(signerOf(old).kid)).toBe(true);
  expect(keys.kid).toBe(signerOf(old).kid);
  expect(keys.use("another")).toBe(false);
  keys.forgetFormer();
  expect([keys.hasFormer, warned]).toEqual([false, [{ variable: "SIGNING_KEY" }]]);
  expect(readdirSync(DATA_DIR)).toEqual([]);
});

it("adds a key to the file for a rotation, once, and deletes the old one after it", () => {
  const DATA_DIR = folder();
  expect(() => addKey({ DATA_DIR })).toThrow(/does not exist: start Deed once$/);
  const old = load({ DATA_DIR }).keys.kid;
  const added = addKey({ DATA_DIR });
  expect(() => addKey({ DATA_DIR })).toThrow(/has a new key already: restart Deed$/);
  const { keys } = load({ DATA_DIR });
  expect([keys.newest.kid, keys.use(old)]).toEqual([added, true]);
  keys.forgetFormer();
  expect(textIn(DATA_DIR)).toMatch(/^[0-9a-f]{64}\n$/);
  expect(load({ DATA_DIR }).keys.kid).toBe(added);
  expect(readdirSync(DATA_DIR)).toEqual(["signing-key"]);
  expect(statSync(join(DATA_DIR, "signing-key")).mode & 0o777).toBe(0o600);
});

it.each(["", "short", "g".repeat(64), `${"a".repeat(64)},b`])("takes no file with %j", (text) => {
  const DATA_DIR = folder();
  writeFileSync(join(DATA_DIR, "signing-key"), text);
  expect(() => load({ DATA_DIR })).toThrow(/holds no signing key/);
});
