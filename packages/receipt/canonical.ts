export type Json =
  | null
  | boolean
  | number
  | string
  | readonly Json[]
  | { readonly [name: string]: Json | undefined };

/**
 * The canonical JSON text of a value (RFC 8785), without properties that are undefined. Throws TypeError for a number
 * that is not finite and for a string that is not well formed.
 */
export function canonicalJson(value: Json): string {
  if (typeof value === "string") {
    if (/\p{Surrogate}/u.test(value)) throw new TypeError("a string with a lone surrogate");
    return JSON.stringify(value);
  }
  if (typeof value === "number" && !Number.isFinite(value)) throw new TypeError("not a number");
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  if (isList(value)) return `[${value.map(canonicalJson).join(",")}]`;
  const members = Object.keys(value)
    .sort()
    .flatMap((name) => {
      const member = value[name];
      return member === undefined ? [] : [`${canonicalJson(name)}:${canonicalJson(member)}`];
    });
  return `{${members.join(",")}}`;
}

const isList = (value: object): value is readonly Json[] => Array.isArray(value);
