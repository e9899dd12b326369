/**
 * A name as text that sorts in canonical order (RFC 4034 section 6.1): labels from the right, in lower case, each octet
 * as the character one above it, each label ended by U+0000. The root's is empty, and a name starts with its parent's.
 */
export type Name = string;

const END = "\0";
const ASTERISK = "+";
export const MAX_NAME = 255;
const MAX_LABEL = 63;

/** The name below `parent` with this label. */
export function under(parent: Name, label: ArrayLike<number>): Name {
  const octets = Array.from(label, (octet) =>
    octet > 0x40 && octet < 0x5b ? octet + 0x20 : octet,
  );
  return parent + octets.map((octet) => String.fromCharCode(octet + 1)).join("") + END;
}

/** The name in a text such as "acme.test" or "."; null if it cannot be one. Escapes are not understood. */
export function parseName(text: string): Name | null {
  const labels =
    text === "." ? [] : text.split(".").map((label) => new TextEncoder().encode(label));
  const size = labels.reduce((sum, { length }) => sum + 1 + length, 1);
  if (size > MAX_NAME || labels.some(({ length }) => length === 0 || length > MAX_LABEL))
    return null;
  return labels.reduceRight<Name>(under, "");
}

/** From left to right, as octets. */
const labelsOf = (name: Name) =>
  name
    .split(END)
    .slice(0, -1)
    .reverse()
    .map((label) => Array.from(label, (character) => character.charCodeAt(0) - 1));

/** The wire form, uncompressed. */
export const octetsOf = (name: Name) =>
  Uint8Array.from([...labelsOf(name).flatMap((label) => [label.length, ...label]), 0]);

/** For people: without the last dot, octets that are not plain escaped (RFC 1035 section 5.1). */
export function nameText(name: Name): string {
  const plain = (octet: number) =>
    octet > 0x20 && octet < 0x7f && !'."\\'.includes(String.fromCharCode(octet))
      ? String.fromCharCode(octet)
      : `\\${String(octet).padStart(3, "0")}`;
  return (
    labelsOf(name)
      .map((label) => label.map(plain).join(""))
      .join(".") || "."
  );
}

export const parentOf = (name: Name): Name =>
  name.slice(0, name.lastIndexOf(END, name.length - 2) + 1);

/** Names from just below `zone` down to `name`; none if `name` is not below it. */
export function namesBetween(zone: Name, name: Name): Name[] {
  const names: Name[] = [];
  if (name.startsWith(zone)) for (let at = name; at !== zone; at = parentOf(at)) names.unshift(at);
  return names;
}

/** Labels as RRSIG counts them: without the root and a leading asterisk (RFC 4034 section 3.1.3). */
export const countLabels = (name: Name) =>
  name.split(END).length -
  1 -
  (name.endsWith(END + ASTERISK + END) || name === ASTERISK + END ? 1 : 0);

/** The last `count` labels of a name. */
export const lastLabels = (name: Name, count: number): Name =>
  namesBetween("", name)[count - 1] ?? "";

export const wildcardOf = (name: Name): Name => name + ASTERISK + END;
