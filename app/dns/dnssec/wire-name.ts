/**
 * A name in canonical wire form (RFC 4034 section 6.2), one character per octet: length octets and labels, lower case,
 * uncompressed, with the root's zero octet at the end.
 */
export type WireName = string;

export const ROOT_NAME: WireName = "\0";
export const MAX_NAME = 255;

/** The wire form of "acme.test"; null if a label or the name is too long or empty, or not ASCII. */
export function wireName(text: string): WireName | null {
  if (text === ".") return ROOT_NAME;
  let name = "";
  for (const label of text.split(".")) {
    if (!/^[\0-\x7f]{1,63}$/.test(label)) return null;
    name += String.fromCharCode(label.length) + lowerCase(label);
  }
  return name.length < MAX_NAME ? `${name}${ROOT_NAME}` : null;
}

/** A name for people, without the last dot; octets that are not plain as RFC 1035 section 5.1 writes them. */
export function nameText(name: WireName): string {
  const labels = labelsOf(name).map((label) =>
    label.replace(/[^!-~]|[.\\"]/g, (one) => `\\${String(one.charCodeAt(0)).padStart(3, "0")}`),
  );
  return labels.join(".") || ".";
}

export const lowerCase = (name: string) =>
  name.replace(/[A-Z]/g, (letter) => String.fromCharCode(letter.charCodeAt(0) + 0x20));

/** Labels from left to right, without the root's. */
export function labelsOf(name: WireName): string[] {
  const labels: string[] = [];
  for (let at = 0; name.charCodeAt(at) > 0; at += 1 + name.charCodeAt(at)) {
    labels.push(name.slice(at + 1, at + 1 + name.charCodeAt(at)));
  }
  return labels;
}

export const parentOf = (name: WireName): WireName =>
  name === ROOT_NAME ? name : name.slice(1 + name.charCodeAt(0));

/** Labels as RRSIG counts them: without the root and a leading asterisk (RFC 4034 section 3.1.3). */
export const countLabels = (name: WireName) =>
  labelsOf(name).length - (name.startsWith("\x01*") ? 1 : 0);

/** The last `count` labels of a name. */
export function lastLabels(name: WireName, count: number): WireName {
  let last = name;
  for (let excess = labelsOf(name).length - count; excess > 0; excess -= 1) last = parentOf(last);
  return last;
}

/** Labels that two names share at the end. */
export function sharedLabels(one: WireName, other: WireName): number {
  const [a, b] = [labelsOf(one).reverse(), labelsOf(other).reverse()];
  const differs = a.findIndex((label, index) => label !== b[index]);
  return differs < 0 ? a.length : differs;
}

export const isAtOrBelow = (name: WireName, zone: WireName) =>
  sharedLabels(name, zone) === labelsOf(zone).length;

/** Names from just below `zone` down to `name`, in that order; none if `name` is not below `zone`. */
export function namesBetween(zone: WireName, name: WireName): WireName[] {
  if (!isAtOrBelow(name, zone)) return [];
  const names: WireName[] = [];
  for (let at = name; at !== zone; at = parentOf(at)) names.unshift(at);
  return names;
}

/** The order of RFC 4034 section 6.1: by labels from the right, octet by octet. */
export function compareNames(one: WireName, other: WireName): number {
  const [a, b] = [labelsOf(one).reverse(), labelsOf(other).reverse()];
  for (let index = 0; index < Math.min(a.length, b.length); index += 1) {
    const [left = "", right = ""] = [a[index], b[index]];
    if (left !== right) return left < right ? -1 : 1;
  }
  return a.length - b.length;
}
