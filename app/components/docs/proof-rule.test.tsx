import { createHash } from "node:crypto";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import { ProofRule1, ProofRule2 } from "./proof-rule.tsx";

it.each([
  [
    "deed-proof/1",
    <ProofRule1 key="1" />,
    /^What is looked for The domain is D, .* what DNS says later\.$/,
    "96149ba5d8ebf3448fe0f8bf677c1d6686496a51d47d46aa65857accb2f7b700",
  ],
  [
    "deed-proof/2",
    <ProofRule2 key="2" />,
    /^What is added All of deed-proof\/1 holds, .* this rule leaves out too\.$/,
    "dc6fd1445a6c65fc1fe07c36aadcb1e5ac25ce9d6e4d92509e823f680744eaf1",
  ],
])("never changes the text of the rule %s, which receipts refer to", (_, rule, whole, pin) => {
  const text = renderToStaticMarkup(rule)
    .replace(/<[^>]+>/g, " ")
    .replace(/\s+/g, " ")
    .trim();
  expect(text).toMatch(whole);
  // A rule that decides otherwise is a new one, beside this.
  expect(createHash("sha256").update(text).digest("hex")).toBe(pin);
});
