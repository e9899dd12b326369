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
    "9787bcfca7223e93a7eac09741e5f03d1de7c546d5020bbafebb96132374bd85",
  );
});
