import { isBelow, under } from "./names.ts";
import type { Observation, ProbeKind } from "./observation.ts";

/** A name at which a misplaced record is looked for. */
export type Probe = { kind: ProbeKind; name: string };

/** The wrong names a record lands at, most telling first; every name once. */
export function probesFor(
  seen: Pick<Observation, "domain" | "label" | "token" | "challengeName">,
  zone: string,
): Probe[] {
  const { domain, label, token } = seen;
  const probes = new Map<string, ProbeKind>();
  const add = (kind: ProbeKind, front: string, base: string) => {
    const name = under(front, base);
    if (name && name !== seen.challengeName && !probes.has(name)) probes.set(name, kind);
  };
  add("domain_appended", `${label}.${domain}`, domain);
  if (isBelow(domain, zone)) add("domain_appended", `${label}.${domain}`, zone);
  probes.set(domain, "apex");
  add("challenge_on_www", `${label}.www`, domain);
  add("www", "www", domain);
  if (label.startsWith("_")) add("no_underscore", label.slice(1), domain);
  add("host_doubled", `${label}.${label}`, domain);
  if (isBelow(domain, zone)) add("parent", label, zone);
  for (const spelling of misspellings(label)) add("misspelled", spelling, domain);
  add("token_as_host", token, domain);
  return [...probes].map(([name, kind]) => ({ kind, name }));
}

/** Most claims have the same label. */
let known = { label: "", spellings: [] as string[] };

/** How the label is mistyped: separators swapped, dropped or doubled, a double letter halved, a plural. */
export function misspellings(label: string): readonly string[] {
  if (known.label !== label) known = { label, spellings: misspell(label) };
  return known.spellings;
}

function misspell(label: string): string[] {
  const bare = label.replace(/^_/, "");
  const spellings = [
    label.replaceAll("-", "_"),
    label.replace(/-/g, ""),
    `_${label}`,
    `-${bare}`,
    label.replace(/([a-z])\1/g, "$1"),
    `${label}s`,
  ];
  return [...new Set(spellings)].filter((spelling) => spelling !== label && spelling !== bare);
}
