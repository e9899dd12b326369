import type { MDXProps } from "mdx/types";
import type { ComponentType } from "react";
import Badge from "../../../../docs/integrate/badge.md";
import Ci from "../../../../docs/integrate/ci.md";
import Gate from "../../../../docs/integrate/gate.md";
import Index from "../../../../docs/integrate/index.md";
import Sso from "../../../../docs/integrate/sso.md";
import Webhooks from "../../../../docs/integrate/webhooks.md";

/** The pages of docs/integrate, by their path below /docs/integrate. Each title is its file's. */
const PAGES: Partial<Record<string, { title: string; Text: ComponentType<MDXProps> }>> = {
  "": { title: "Build on Deed", Text: Index },
  gate: { title: "Open a feature for proved domains", Text: Gate },
  badge: { title: "Show a badge for verified domains", Text: Badge },
  sso: { title: "SSO for proved domains", Text: Sso },
  ci: { title: "Check a domain in CI", Text: Ci },
  webhooks: { title: "Receive webhooks", Text: Webhooks },
};

export const recipeAt = (path = "") => (Object.hasOwn(PAGES, path) ? PAGES[path] : undefined);
