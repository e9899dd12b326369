import { isBelow, labelsOf, parentOf, under } from "../names.ts";
import type { Observation, ProbeKind } from "./observation.ts";

/** A name at which a misplaced record is looked for. */
export type Probe = { kind: ProbeKind; name: string };

/** Names above D, up to the zone's own, at which a record for D is looked for: most have one. */
const MAX_ABOVE = 3;

/** The wrong names a record lands at, most telling first; every name once. */
export function probesFor(
  seen: Pick<Observation, "domain" | "label" | "token" | "challengeName">,
  zone: string,
): Probe[] {
  const { domain, label, token, challengeName } = seen;
  const probes = new Map<string, ProbeKind>();
  const add = (kind: ProbeKind, front: string, base: string) => {
    const name = under(front, base);
    if (name && name !== challengeName && !probes.has(name)) probes.set(name, kind);
  };
  const above = namesAbove(domain, zone);
  add("domain_appended", `${label}.${domain}`, domain);
  if (isBelow(domain, zone)) add("domain_appended", `${label}.${domain}`, zone);
  probes.set(domain, "apex");
  add("challenge_on_www", `${label}.www`, domain);
  add("www", "www", domain);
  if (label.startsWith("_")) add("no_underscore", label.slice(1), domain);
  add("host_doubled", `${label}.${label}`, domain);
  for (const name of above) add("parent", label, name);
  for (const name of above)
    if (!probes.has(name)) probes.set(name, name === zone ? "zone_apex" : "between");
  for (const spelling of misspellings(label)) add("misspelled", spelling, domain);
  add("token_as_host", token, domain);
  if (isBelow(domain, zone)) add("token_as_host", token, zone);
  if (isBelow(challengeName, zone)) {
    // What a panel's host field takes, and what it makes of it.
    const host = challengeName.slice(0, -zone.length - 1);
    add("domain_repeated", `${host}.${labelsOf(zone)[0]}`, zone);
    add("quoted_host", `"${host}"`, zone);
  }
  return [...probes].map(([name, kind]) => ({ kind, name }));
}

/** The names above D within the zone, its own among them: the nearest and the zone's where there are many. */
function namesAbove(domain: string, zone: string): string[] {
  if (!isBelow(domain, zone)) return [];
  const names = [zone];
  for (let name = parentOf(domain); isBelow(name, zone); name = parentOf(name)) {
    if (names.length < MAX_ABOVE) names.push(name);
  }
  return names;
}

/** Most claims have the same label. */
let known = { label: "", spellings: [] as string[] };

/**
 * How the label is mistyped: separators swapped, dropped, doubled or left blank, the underscore in front forgotten
 * beside, a double letter halved, a plural.
 */
export function misspellings(label: string): readonly string[] {
  if (known.label !== label) known = { label, spellings: misspell(label) };
  return known.spellings;
}

function misspell(label: string): string[] {
  const bare = label.replace(/^_/, "");
  const spellings = [
    label.replaceAll("-", "_"),
    bare.replaceAll("-", "_"),
    label.replace(/-/g, ""),
    label.replaceAll("-", " "),
    bare.replaceAll("-", " "),
    `_${label}`,
    `-${bare}`,
    label.replace(/([a-z])\1/g, "$1"),
    `${label}s`,
  ];
  return [...new Set(spellings)].filter((spelling) => spelling !== label && spelling !== bare);
}
