import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";

it.each([
  ["deed-proof-1", "9787bcfca7223e93a7eac09741e5f03d1de7c546d5020bbafebb96132374bd85"],
  ["deed-proof-3", "54413fbf296ed87ce4f013799ff935cbe42d47933a868571441c109b2273d9c6"],
  ["deed-dnssec-1", "ad4f2e1a0b9f8b6ee51c1af88b9239bde46b4a65fa3d05ec76bd9fbf67aaaa70"],
])("never changes the text of the rule %s, which receipts refer to", (name, hash) => {
  const text = readFileSync(`docs/pages/rules/${name}.md`, "utf8")
    .replace(/^# .*\n\n.*\n/, "")
    .replace(/^(?:## |\d\. )/gm, "")
    .replace(/\*+/g, " ")
    .replace(/\s+/g, " ")
    .trim();
  // A changed rule needs a new page beside this one.
  expect(createHash("sha256").update(text).digest("hex")).toBe(hash);
});
