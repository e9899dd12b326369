import { parseAnchor } from "@deed/dns/dnssec/anchors.ts";
import type { Jwk } from "@deed/receipt/ed25519.ts";
import { ASSURANCES } from "@deed/receipt/statement.ts";
import type { Options } from "@deed/receipt/verify.ts";

const FIELDS = ["key", "require", "holder", "opening", "anchors"] as const;
type Fields = Record<(typeof FIELDS)[number], string>;

export const fieldsIn = (form: FormData) =>
  Object.fromEntries(FIELDS.map((name) => [name, String(form.get(name) ?? "")])) as Fields;

export function optionsOf({ key, require, holder, opening, anchors }: Fields): Options | string {
  const start = key.indexOf("{");
  const set = start < 0 ? { keys: [] } : keySetIn(key.slice(start));
  if (!set) return "A key set begins with { and ends with }. Copy all of it.";
  const keys = (start < 0 ? key : key.slice(0, start)).split(/[\s,]+/).filter(Boolean);
  if (keys.some((one) => !/^[\w-]{43}$/.test(one)))
    return "A thumbprint has 43 letters, digits, - and _. Copy all of it.";
  const lines = anchors.split("\n").filter((line) => line.trim() !== "");
  const given = lines.flatMap((line) => parseAnchor(line) ?? []);
  if (given.length < lines.length)
    return "A trust anchor is a DS record, such as “lab.test. IN DS 4711 13 2 9f3c…”. Write one on each line.";
  const [address, salt] = [holder.trim(), opening.trim()];
  if ((address === "") !== (salt === ""))
    return "Fill in both the holder’s address and the ownership code, or neither.";
  const least = ASSURANCES.find((one) => one === require);
  return {
    ...set,
    keys: keys.length > 0 ? keys : set.keys,
    ...(least && { require: least }),
    ...(given.length > 0 && { anchors: given }),
    ...(address !== "" && { holder: { address, opening: salt } }),
  };
}

/** Returns the Ed25519 keys of a JWK Set and their signed history; null if there is no key. */
export function keySetIn(text: string): (Pick<Options, "history"> & { keys: Jwk[] }) | null {
  try {
    const set = JSON.parse(text) as { keys?: unknown; "deed:history"?: unknown };
    const keys = (Array.isArray(set.keys) ? set.keys : [set]).filter(isEd25519);
    const history = set["deed:history"];
    return keys.length > 0 ? { keys, ...(typeof history === "string" && { history }) } : null;
  } catch {
    return null;
  }
}

const isEd25519 = (key: Partial<Jwk> | null): key is Jwk =>
  key?.kty === "OKP" && key.crv === "Ed25519" && typeof key.x === "string";
