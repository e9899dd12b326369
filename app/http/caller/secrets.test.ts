import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parseEnvironment } from "#app/environment/env.server.ts";
import { testApp } from "#app/features/sign-in/testing.ts";
import { codeMatches, hashCode, loadSecrets, newCode, newSecret } from "./cookies.server.ts";

it("the installation's secrets come from SESSION_SECRET, newest first", () => {
  const [fresh, old] = ["n".repeat(32), "o".repeat(32)];
  const env = parseEnvironment({ SESSION_SECRET: `${fresh}, ${old}` });
  expect(loadSecrets(env)).toEqual([fresh, old]);
});

it("the installation's secret is not read from an emptied file", () => {
  const { DATA_DIR } = testApp().env;
  mkdirSync(DATA_DIR, { recursive: true });
  writeFileSync(join(DATA_DIR, "session-secret"), "");
  expect(() => loadSecrets(parseEnvironment({ DATA_DIR }))).toThrow(/has no secret/);
});

describe("codes", () => {
  it("are six digits, leading zeros included", () => {
    const codes = Array.from({ length: 2_000 }, newCode);
    expect(codes.every((code) => /^\d{6}$/.test(code))).toBe(true);
    expect(codes.some((code) => code.startsWith("0"))).toBe(true);
    expect(new Set(codes).size).toBeGreaterThan(1_950);
  });

  it("match their own link's hash only", () => {
    const { secrets } = testApp();
    const hash = hashCode(secrets, "lnk_1", "012345");
    expect(codeMatches(secrets, "lnk_1", "012345", hash)).toBe(true);
    expect(codeMatches(secrets, "lnk_2", "012345", hash)).toBe(false);
    expect(codeMatches(secrets, "lnk_1", "12345", hash)).toBe(false);
    expect(codeMatches(testApp().secrets, "lnk_1", "012345", hash)).toBe(false);
    expect(hash).not.toContain("012345");
  });

  it("are unique, and so are secrets", () => {
    expect(new Set(Array.from({ length: 1_000 }, newSecret)).size).toBe(1_000);
  });
});
