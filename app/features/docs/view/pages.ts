import type { MDXProps } from "mdx/types";
import type { ComponentType } from "react";
import Handoffs from "../../../../docs/handoffs.md";
import Badge from "../../../../docs/integrate/badge.md";
import Caddy from "../../../../docs/integrate/caddy.md";
import Ci from "../../../../docs/integrate/ci.md";
import Gate from "../../../../docs/integrate/gate.md";
import Go from "../../../../docs/integrate/go.md";
import Integrate from "../../../../docs/integrate/index.md";
import Python from "../../../../docs/integrate/python.md";
import Retries from "../../../../docs/integrate/retries.md";
import SetUp from "../../../../docs/integrate/set-up.md";
import Sso from "../../../../docs/integrate/sso.md";
import TypeScript from "../../../../docs/integrate/typescript.md";
import Webhooks from "../../../../docs/integrate/webhooks.md";
import Backup from "../../../../docs/operate/backup.md";
import Commands from "../../../../docs/operate/commands.md";
import Configuration from "../../../../docs/operate/configuration.md";
import Doctor from "../../../../docs/operate/doctor.md";
import Install from "../../../../docs/operate/install.md";
import LeavingLitefs from "../../../../docs/operate/leaving-litefs.md";
import Monitoring from "../../../../docs/operate/monitoring.md";
import People from "../../../../docs/operate/people.md";
import SigningKey from "../../../../docs/operate/signing-key.md";
import Sizing from "../../../../docs/operate/sizing.md";
import Upgrade from "../../../../docs/operate/upgrade.md";
import Assurance from "../../../../docs/pages/assurance.md";
import HowToCheck from "../../../../docs/pages/how-to-check.md";
import DnssecRule1 from "../../../../docs/pages/rules/deed-dnssec-1.md";
import ProofRule1 from "../../../../docs/pages/rules/deed-proof-1.md";
import ProofRule3 from "../../../../docs/pages/rules/deed-proof-3.md";
import TestMode from "../../../../docs/pages/test-mode.md";
import WhatIsThis from "../../../../docs/pages/what-is-this.md";
import Dns from "../../../../packages/dns/README.md";

type DocsFile = { title: string; Text: ComponentType<MDXProps>; note?: string };

/** The pages that are files in docs, by their path below /docs. Titles are from the files; `note` comes before the text. */
const PAGES: Partial<Record<string, DocsFile>> = {
  "what-is-this": { title: "What is this?", Text: WhatIsThis },
  "how-to-check": { title: "How to check a receipt", Text: HowToCheck },
  assurance: { title: "How a proof was checked", Text: Assurance },
  "rules/deed-proof-3": { title: "The rule deed-proof/3", Text: ProofRule3 },
  "rules/deed-proof-1": {
    title: "The rule deed-proof/1",
    Text: ProofRule1,
    note: "Deed no longer makes proofs by this rule: when other servers did not answer, it could believe one that lied. The rule deed-proof/3 replaced it.",
  },
  "rules/deed-dnssec-1": {
    title: "The rule deed-dnssec/1",
    Text: DnssecRule1,
    note: "What this page says about deed-proof/1 now applies to the rule deed-proof/3, which replaced it.",
  },
  handoffs: { title: "A hand-off page for your customers", Text: Handoffs },
  "test-mode": { title: "Test mode", Text: TestMode },
  integrate: { title: "Build on Deed", Text: Integrate },
  "integrate/gate": { title: "Open a feature for proved domains", Text: Gate },
  "integrate/caddy": { title: "Certificates for proved domains, with Caddy", Text: Caddy },
  "integrate/badge": { title: "Show a badge for proved domains", Text: Badge },
  "integrate/sso": { title: "SSO for proved domains", Text: Sso },
  "integrate/ci": { title: "Check a domain in CI", Text: Ci },
  "integrate/python": { title: "A proof in Python", Text: Python },
  "integrate/go": { title: "A proof in Go", Text: Go },
  "integrate/typescript": { title: "A proof in TypeScript", Text: TypeScript },
  "integrate/dns": { title: "Check a record without an installation", Text: Dns },
  "integrate/retries": { title: "What a second call does", Text: Retries },
  "integrate/set-up": { title: "Set up with curl", Text: SetUp },
  "integrate/webhooks": { title: "Receive webhooks", Text: Webhooks },
  "operate/install": { title: "Installing", Text: Install },
  "operate/configuration": { title: "Configuration", Text: Configuration },
  "operate/people": { title: "Accounts and people", Text: People },
  "operate/signing-key": { title: "The signing key", Text: SigningKey },
  "operate/backup": { title: "Backups", Text: Backup },
  "operate/upgrade": { title: "Upgrading", Text: Upgrade },
  "operate/monitoring": { title: "Monitoring", Text: Monitoring },
  "operate/doctor": { title: "Finding what is wrong", Text: Doctor },
  "operate/sizing": { title: "Sizing", Text: Sizing },
  "operate/commands": { title: "The command", Text: Commands },
  "operate/leaving-litefs": { title: "Leaving LiteFS", Text: LeavingLitefs },
};

export const OPERATE = Object.entries(PAGES).flatMap(([path, page]) =>
  path.startsWith("operate/") && page ? { to: `/docs/${path}`, title: page.title } : [],
);

/** Returns the page at a path below /docs, with or without a slash at its end. */
export function pageAt(path = "") {
  const name = path.replace(/\/$/, "");
  return Object.hasOwn(PAGES, name) ? PAGES[name] : undefined;
}
