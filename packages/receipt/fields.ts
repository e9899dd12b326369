import { parseAnchor } from "@deed/dns/dnssec/anchors.ts";
import { ASSURANCES } from "./statement.ts";
import type { Options } from "./verify.ts";

export const FIELDS = ["key", "require", "holder", "opening", "anchors"] as const;
export type Fields = Record<(typeof FIELDS)[number], string>;

export function optionsOf({ key, require, holder, opening, anchors }: Fields): Options | string {
  const keys = key.split(/[\s,]+/).filter(Boolean);
  if (keys.some((one) => !/^[\w-]{43}$/.test(one)))
    return "A thumbprint has 43 letters, digits, - and _. Copy all of it.";
  const lines = anchors.split("\n").filter((line) => line.trim() !== "");
  const given = lines.flatMap((line) => parseAnchor(line) ?? []);
  if (given.length < lines.length)
    return "A trust anchor is a DS record, such as “lab.test. IN DS 4711 13 2 9f3c…”. Write one on each line.";
  const [address, salt] = [holder.trim(), opening.trim()];
  if ((address === "") !== (salt === ""))
    return "Fill in both the holder’s address and the opening, or neither.";
  const least = ASSURANCES.find((one) => one === require);
  return {
    keys,
    ...(least && { require: least }),
    ...(given.length > 0 && { anchors: given }),
    ...(address !== "" && { holder: { address, opening: salt } }),
  };
}
