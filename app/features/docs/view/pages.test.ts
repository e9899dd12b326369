import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";

it("never changes the text of a rule, which receipts refer to", () => {
  const text = readFileSync("docs/pages/rules/deed-proof-1.md", "utf8")
    .replace(/^# .*\n\n.*\n/, "")
    .replace(/^(?:## |\d\. )/gm, "")
    .replace(/\*+/g, " ")
    .replace(/\s+/g, " ")
    .trim();
  expect(text).toMatch(/^What is looked for The domain is D, .* what DNS says later\.$/);
  // A rule that decides otherwise is a new one, beside this.
  expect(createHash("sha256").update(text).digest("hex")).toBe(
    "9787bcfca7223e93a7eac09741e5f03d1de7c546d5020bbafebb96132374bd85",
  );
});
