import * as z from "zod";
import { readShape } from "./answer.ts";

export type Registries = ReadonlyMap<string, string>;

const BootstrapFile = z.object({
  version: z.string(),
  services: z.array(z.tuple([z.array(z.string()), z.array(z.string())])).max(10_000),
});

/** IANA's list has more than a thousand suffixes. A list with fewer than this is incomplete. */
const MIN_SUFFIXES = 500;

/** Reads a bootstrap file for domain names (RFC 9224 section 4); null if the text is not such a file. */
export function parseRegistries(text: string): Registries | null {
  const file = readShape(text, BootstrapFile);
  if (!file) return null;
  const registries = new Map<string, string>();
  for (const [suffixes, urls] of file.services) {
    // A URL with https comes first (RFC 9224 section 3).
    const url = urls.find((candidate) => candidate.startsWith("https://")) ?? urls[0];
    for (const suffix of suffixes) if (url) registries.set(suffix.toLowerCase(), url);
  }
  return registries;
}

export function parseCompleteList(text: string): Registries | null {
  const registries = parseRegistries(text);
  return registries && registries.size >= MIN_SUFFIXES && registries.has("com") ? registries : null;
}

/** The base URL of the RDAP server for `name`, by the longest suffix in the list; null if no suffix matches. */
export function serverFor(registries: Registries, name: string): string | null {
  for (let rest = name; rest !== ""; rest = rest.replace(/^[^.]*\.?/, "")) {
    const url = registries.get(rest);
    if (url) return url.endsWith("/") ? url : `${url}/`;
  }
  return null;
}
