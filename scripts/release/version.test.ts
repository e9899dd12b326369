import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { newFolder } from "../../tests/support/service.ts";
import { placeClients } from "./client.mjs";
import { buildOf } from "./version.mjs";

const COMMIT = "0123456789abcdef0123456789abcdef01234567";
const { version } = JSON.parse(readFileSync("package.json", "utf8"));
const [TAG, DEVELOPED] = [[`v${version}`], `${version}-dev.1412+0123456789`];
const known = { commit: COMMIT, seconds: "1764288000", tags: [""], commits: "1412" };

describe("what a build is called", () => {
  it.each([
    ["a release, on its tag", { tags: ["other", ...TAG] }, version],
    ["no release", {}, DEVELOPED],
    ["the tag of another version", { tags: ["v0.0.1"] }, DEVELOPED],
    ["a change since the tag", { tags: TAG, isChanged: true }, `${DEVELOPED}.changed`],
    ["a history cut short", { commits: null }, `${version}-dev+0123456789`],
  ])("%s", (_, more, called) => {
    vi.stubEnv("SOURCE_DATE_EPOCH", undefined);
    expect(buildOf({ ...known, ...more })).toEqual({
      version: called,
      commit: COMMIT,
      committedAt: "2025-11-28T00:00:00.000Z",
    });
  });

  it("without a history what DEED_COMMIT says, and nothing without either", () => {
    vi.stubEnv("DEED_COMMIT", COMMIT);
    vi.stubEnv("SOURCE_DATE_EPOCH", undefined);
    const built = { version: `${version}-dev+0123456789`, commit: COMMIT, committedAt: null };
    expect(buildOf(null)).toEqual(built);
    vi.stubEnv("DEED_COMMIT", "0123456789");
    expect(() => buildOf(null)).toThrow("set DEED_COMMIT");
  });

  it("is the version at the head of CHANGELOG.md", () => {
    const [, newest] = /^## (.*)$/m.exec(readFileSync("CHANGELOG.md", "utf8")) ?? [];
    expect(newest).toBe(version);
  });
});

describe("the clients that a build gives out", () => {
  const packed = (called: string, folder: string) => {
    const path = join(folder, `deed-client-${called.replace("+", ".")}.tgz`);
    writeFileSync(path, `packed now: ${called}`);
    return path;
  };
  const sameFiles = () => "";

  it("are its own and every published one, as it was", () => {
    const [published, folder] = [newFolder(), newFolder()];
    writeFileSync(join(published, "deed-client-0.1.0.tgz"), "as published");
    writeFileSync(join(folder, "deed-client-0.3.0-dev.1.0123456789.tgz"), "of the build before");
    placeClients("0.3.0-dev.2+0123456789", folder, { published, pack: packed });
    const text = (name: string) => readFileSync(join(folder, name), "utf8");
    expect(text("deed-client-0.1.0.tgz")).toBe("as published");
    expect(text("deed-client.tgz")).toBe(text("deed-client-0.3.0-dev.2.0123456789.tgz"));
    expect(() => text("deed-client-0.3.0-dev.1.0123456789.tgz")).toThrow("ENOENT");
  });

  it("are, for a release, the bytes that were published, if its sources still make that client", () => {
    const [published, folder] = [newFolder(), newFolder()];
    writeFileSync(join(published, "deed-client-0.3.0.tgz"), "by an older npm");
    placeClients("0.3.0", folder, { published, pack: packed, contentOf: sameFiles });
    expect(readFileSync(join(folder, "deed-client.tgz"), "utf8")).toBe("by an older npm");
    const contentOf = (path: string) => readFileSync(path, "utf8");
    expect(() => placeClients("0.3.0", folder, { published, pack: packed, contentOf })).toThrow(
      "is not the client of these sources",
    );
  });
});
