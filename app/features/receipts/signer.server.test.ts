import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { parseEnvironment } from "#app/environment/env.server.ts";
import { ensureSecret } from "#app/environment/kept-secret.server.ts";
import { testFolder } from "#db/testing.files.ts";
import { loadSigner, newSigningKey, replaceKey, signerOf } from "./signer.server.ts";

const load = (source: Record<string, string>) => loadSigner(parseEnvironment(source)).kid;

const textIn = (folder: string) => readFileSync(join(folder, "signing-key"), "utf8");

it("makes a key once, readable by its owner only", () => {
  const DATA_DIR = join(testFolder(), "new");
  const first = load({ DATA_DIR });
  expect([load({ DATA_DIR }), readdirSync(DATA_DIR)]).toEqual([first, ["signing-key"]]);
  expect(statSync(join(DATA_DIR, "signing-key")).mode & 0o777).toBe(0o600);
  expect(textIn(DATA_DIR)).toMatch(/^[0-9a-f]{64}\n$/);
  expect(signerOf(textIn(DATA_DIR).trim()).kid).toBe(first);
});

it("takes the key of a process that started at the same time", () => {
  const file = join(testFolder(), "signing-key");
  const makeLate = () => {
    writeFileSync(file, "theirs");
    return "ours";
  };
  expect(ensureSecret(file, makeLate)).toBe("theirs");
});

it("takes the first key of SIGNING_KEY, and keeps none", () => {
  const DATA_DIR = testFolder();
  const [fresh, old] = [newSigningKey(), newSigningKey()];
  const SIGNING_KEY = `${fresh.toUpperCase()}, ${old}`;
  expect(load({ DATA_DIR, SIGNING_KEY })).toBe(signerOf(fresh).kid);
  expect(readdirSync(DATA_DIR)).toEqual([]);
});

it("replaces the key of the file for a rotation", () => {
  const DATA_DIR = testFolder();
  expect(() => replaceKey({ DATA_DIR })).toThrow(/does not exist: start Deed once$/);
  const old = load({ DATA_DIR });
  const fresh = replaceKey({ DATA_DIR });
  expect(old).not.toBe(fresh);
  const signer = loadSigner(parseEnvironment({ DATA_DIR }));
  expect(signer.kid).toBe(fresh);
  expect(signer.earlier?.map(({ kid }) => kid)).toEqual([old]);
  signer.forgetEarlier?.();
  expect(textIn(DATA_DIR)).toMatch(/^[0-9a-f]{64}\n$/);
  expect(readdirSync(DATA_DIR)).toEqual(["signing-key"]);
  expect(statSync(join(DATA_DIR, "signing-key")).mode & 0o777).toBe(0o600);
});

it("leaves a file alone in which another key has come first since", () => {
  const DATA_DIR = testFolder();
  load({ DATA_DIR });
  replaceKey({ DATA_DIR });
  const signer = loadSigner(parseEnvironment({ DATA_DIR }));
  const next = replaceKey({ DATA_DIR });
  signer.forgetEarlier?.();
  expect(load({ DATA_DIR })).toBe(next);
  expect(textIn(DATA_DIR).split(",")).toHaveLength(3);
});

it.each(["", "short", "g".repeat(64), `${"a".repeat(64)},b`])("takes no file with %j", (text) => {
  const DATA_DIR = testFolder();
  writeFileSync(join(DATA_DIR, "signing-key"), text);
  expect(() => load({ DATA_DIR })).toThrow(/has no signing key/);
});

it("signs the example of RFC 8037 appendix A", () => {
  const seed = Buffer.from("nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A", "base64url");
  const signer = signerOf(seed.toString("hex"));
  expect(signer.jwk.x).toBe("11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo");
  expect(signer.kid).toBe("kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k");
  const input = "eyJhbGciOiJFZERTQSJ9.RXhhbXBsZSBvZiBFZDI1NTE5IHNpZ25pbmc";
  expect(Buffer.from(signer.sign(Buffer.from(input))).toString("base64url")).toBe(
    "hgyY0il_MGCjP0JzlnLWG1PPOt7-09PGcvMg3AIbQR6dWbhijcNR4ki4iylGjg5BhVsPt9g7sVvpAr_MuM0KAg",
  );
});
