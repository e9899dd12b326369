import { createHash } from "node:crypto";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import { ProofRule1 } from "./proof-rule.tsx";

it("never changes the text of a rule, which receipts refer to", () => {
  const text = renderToStaticMarkup(<ProofRule1 />)
    .replace(/<[^>]+>/g, " ")
    .replace(/\s+/g, " ")
    .trim();
  expect(text).toMatch(/^What is looked for The domain is D, .* what DNS says later\.$/);
  // A rule that decides otherwise is a new one, beside this.
  expect(createHash("sha256").update(text).digest("hex")).toBe(
    "96149ba5d8ebf3448fe0f8bf677c1d6686496a51d47d46aa65857accb2f7b700",
  );
});
