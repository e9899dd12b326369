import { existsSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { IANA_ROOT_HINTS, parseRootHints } from "./root-hints.ts";

const FILE = resolve(import.meta.dirname, "../../../../shared/data/root.hints");
const present = existsSync(FILE);

describe("root hints", () => {
  it("has InterNIC's file at hand in CI", () => {
    expect(present || process.env.CI !== "true").toBe(true);
  });

  it.runIf(present)("are built in as InterNIC publishes them", () => {
    expect(parseRootHints(readFileSync(FILE, "utf8"))).toEqual(IANA_ROOT_HINTS);
  });

  it("may carry the class, comments, and no IPv6", () => {
    const text = ". 3600 IN NS A.ROOT.Lab. ; the only one\n\na.root.lab. IN 60 A 127.0.0.1\n";
    expect(parseRootHints(text)).toEqual([{ host: "a.root.lab", addresses: ["127.0.0.1"] }]);
  });

  it.each(["", "; nothing", ". NS a.root.\n", "a.root. A 127.0.0.1\n", ". NS a.\na. A localhost"])(
    "refuses %j",
    (text) => expect(() => parseRootHints(text)).toThrow(/root hints/),
  );
});
