import * as z from "zod";

/** Where registries answer: the base URL of the RDAP server of each suffix. */
export type Registries = ReadonlyMap<string, string>;

const BootstrapFile = z.object({
  version: z.string(),
  services: z.array(z.tuple([z.array(z.string()), z.array(z.string())])).max(10_000),
});

/** IANA's list has more than a thousand suffixes; a shorter one is not the whole of it. */
const FEWEST_SUFFIXES = 500;

/** The URL to use of those that a service has: over https if there is one (RFC 9224 section 3). */
const preferred = (urls: readonly string[]): string | undefined =>
  urls.find((url) => url.startsWith("https://")) ?? urls[0];

/** Reads a bootstrap file for domain names (RFC 9224 section 4); null if the text is none. */
export function parseRegistries(text: string): Registries | null {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return null;
  }
  const file = BootstrapFile.safeParse(json);
  if (!file.success) return null;
  const found = new Map<string, string>();
  for (const [suffixes, urls] of file.data.services) {
    const url = preferred(urls);
    for (const suffix of suffixes) if (url) found.set(suffix.toLowerCase(), url);
  }
  return found;
}

/** IANA's list as it arrives; null if the text is not the whole of one. */
export function parseWholeList(text: string): Registries | null {
  const registries = parseRegistries(text);
  return registries && registries.size >= FEWEST_SUFFIXES && registries.has("com")
    ? registries
    : null;
}

/** The base URL of the RDAP server that knows `name`, by the longest suffix in the list; null if none does. */
export function serverFor(registries: Registries, name: string): string | null {
  for (let rest = name; rest !== ""; rest = rest.replace(/^[^.]*\.?/, "")) {
    const url = registries.get(rest);
    if (url) return url.endsWith("/") ? url : `${url}/`;
  }
  return null;
}
