import { isBelow, labelsOf, parentOf, under } from "../names.ts";
import type { Observation, ProbeKind } from "./observation.ts";

/** A name at which a misplaced record is looked for. */
export type Probe = { kind: ProbeKind; name: string };

/** Limit on the ancestors of D, the zone's apex included, at which a record for D is looked for. Most have one. */
const MAX_ABOVE = 3;

/** The wrong names at which a record may end up, most telling first, without duplicates. */
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
    // Typical mistakes in a DNS panel's host field.
    const host = challengeName.slice(0, -zone.length - 1);
    add("domain_repeated", `${host}.${labelsOf(zone)[0]}`, zone);
    add("quoted_host", `"${host}"`, zone);
  }
  return [...probes].map(([name, kind]) => ({ kind, name }));
}

/** The ancestors of D within the zone, including the apex; if there are many, the nearest ones and the apex. */
function namesAbove(domain: string, zone: string): string[] {
  if (!isBelow(domain, zone)) return [];
  const names = [zone];
  for (let name = parentOf(domain); isBelow(name, zone); name = parentOf(name)) {
    if (names.length < MAX_ABOVE) names.push(name);
  }
  return names;
}

/**
 * Common misspellings of the label: separators swapped, dropped or replaced by spaces, some also without the leading
 * underscore; the underscore doubled or replaced by a hyphen; a double letter halved; a plural.
 */
export function misspellings(label: string): string[] {
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
