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
    "ab3f4b37e15eefff9a65a69f36af1557c1b4c01d345ce0dad190a81ce781d4ff",
  );
});
