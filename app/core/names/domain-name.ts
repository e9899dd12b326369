import { toUnicode } from "@deed/dns/library/idna.ts";
import { asciiName, InvalidInput, isIpv6, limitLength } from "@deed/dns/library/typed-name.ts";
import { MAX_NAME_LENGTH, PROVIDER_SUFFIX_OPTIONS } from "@deed/dns/names.ts";
import { getDomain, getPublicSuffix, parse } from "tldts";
import { DeedError } from "../errors.server.ts";
import { NORMALISATIONS, type Normalisation } from "../normalisations.ts";

const SUFFIX_RULES = { ...PROVIDER_SUFFIX_OPTIONS, detectIp: false };

const invalidDomain = (message: string) => new DeedError("invalid_domain", { message });

const suffixOf = (ascii: string) => getPublicSuffix(ascii, SUFFIX_RULES);
const registrableOf = (ascii: string) => getDomain(ascii, SUFFIX_RULES);

/** Lists a host and the names above it, up to the registrable domain; for a public suffix, only the suffix. */
export function withinRegistrable(host: string): string[] {
  const shortest = (registrableOf(host) ?? host).length;
  const labels = host.split(".");
  return labels.map((_, at) => labels.slice(at).join(".")).filter((n) => n.length >= shortest);
}

const removals = (label: string): [Normalisation, (name: string) => string][] => [
  ["trimmed", (name) => name.trim()],
  ["scheme_removed", (name) => name.replace(/^(?:[a-z][a-z0-9+.-]*:)?\/\//i, "")],
  ["userinfo_removed", (name) => name.replace(/^[^/?#\\]*@/, "")],
  ["path_removed", (name) => name.replace(/[/?#\\].*$/s, "")],
  ["port_removed", (name) => (isIpv6(name) ? name : name.replace(/:\d{1,5}$/, ""))],
  ["trailing_dot_removed", (name) => name.replace(/[.\u3002\uff0e\uff61]$/, "")],
  ["wildcard_removed", (name) => name.replace(/^\*\./, "")],
  ["challenge_label_removed", (name) => (label[0] === "_" ? withoutLabel(name, label) : name)],
  ["lowercased", (name) => Array.from(name, (character) => character.toLowerCase()).join("")],
];

function withoutLabel(name: string, label: string, isRemovable = (_rest: string) => true): string {
  let rest = name;
  while (rest.toLowerCase().startsWith(`${label}.`) && isRemovable(rest.slice(label.length + 1)))
    rest = rest.slice(label.length + 1);
  return rest;
}

/** Finds a name, or a part of one, in typed or pasted text, for searches. Leaves www out. Never throws. */
export const bareName = (text: string, label: string): string =>
  removals(label)
    .reduce((name, [, remove]) => remove(name), text)
    .replace(/^www\./, "") || text;

const DOTS = /[.\u3002\uff0e\uff61]/;

function idnaSteps(name: string, ascii: string): Normalisation[] {
  const typedLabels = name.split(DOTS);
  const unicode = toUnicode(name).domain.split(".");
  const encoded = ascii.split(".");
  const isTyped = (index: number) => !typedLabels[index]?.startsWith("xn--");
  const isMapped = unicode.some((part, index) => isTyped(index) && part !== typedLabels[index]);
  const isEncoded = encoded.some((part, index) => isTyped(index) && part.startsWith("xn--"));
  return [
    ...(isMapped || typedLabels.join(".") !== name ? (["idna_mapped"] as const) : []),
    ...(isEncoded ? (["punycode_encoded"] as const) : []),
  ];
}

/**
 * Finds the domain in typed or pasted text, such as a URL, a wildcard or the challenge name, in any script. `label` is
 * the challenge label; `keepWww` keeps the www of "www.acme.com". Idempotent. Throws invalid_domain, saying why.
 */
export function normaliseName(input: string, label: string, keepWww = false) {
  try {
    return findName(input, label, keepWww);
  } catch (error) {
    throw error instanceof InvalidInput ? invalidDomain(error.message) : error;
  }
}

function findName(input: string, label: string, keepWww: boolean) {
  limitLength(input);
  const appliedSteps = new Set<Normalisation>();
  let name = input;
  const step = (kind: Normalisation, next: string) => {
    if (next !== name) appliedSteps.add(kind);
    name = next;
  };

  for (const [kind, remove] of removals(label)) step(kind, remove(name));
  const ascii = asciiName(name);
  for (const kind of idnaSteps(name, ascii)) appliedSteps.add(kind);
  name = ascii;
  // A label without an underscore is an ordinary host name, so it is removed only if a whole domain remains.
  const isDomain = (rest: string) => suffixOf(rest) !== rest;
  step("challenge_label_removed", withoutLabel(name, label, isDomain));
  const bare = name.replace(/^www\./, "");
  if (!keepWww && bare !== name && registrableOf(bare) === bare) step("www_removed", bare);

  return {
    /** The name in A-labels, without a trailing dot, of at most 253 octets. */
    ascii: name,
    unicode: toUnicode(name).domain,
    normalisations: NORMALISATIONS.filter((kind) => appliedSteps.has(kind)),
    isPublicSuffix: suffixOf(name) === name,
    /** The registrable domain; null for a public suffix. */
    registrable: registrableOf(name),
  };
}

/** Like normaliseName; also throws invalid_domain if the challenge name would exceed 253 octets and so never resolve. */
export function claimableName(input: string, label: string, keepWww = false) {
  const name = normaliseName(input, label, keepWww);
  const maxLength = MAX_NAME_LENGTH - label.length - 1;
  if (name.ascii.length > maxLength)
    throw invalidDomain(
      `This domain is too long to prove. With ${label} in front, a name can have ${MAX_NAME_LENGTH} characters, so the domain can have at most ${maxLength}.`,
    );
  return name;
}

/** Returns the warning about a word without a dot; null if the name has one, and for a top-level domain. */
export function dotlessWarning(ascii: string): string | null {
  if (ascii === "localhost") return "localhost cannot be proved. Type a public domain.";
  const guess = guessName(ascii);
  return guess && `${ascii} has no dot. Did you mean ${guess}?`;
}

/** Returns the domain that a word without a dot probably means; null for any other text. */
export const guessName = (ascii: string): string | null =>
  /^(?!localhost$)[a-z0-9-]+$/.test(ascii) && !parse(ascii, SUFFIX_RULES).isIcann
    ? `${ascii}.com`
    : null;
