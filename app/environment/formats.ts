import { isIP } from "node:net";
import { domainToASCII } from "node:url";
import { type Anchor, parseAnchor, ROOT_ANCHORS } from "@deed/dns/dnssec/anchors.ts";
import ipaddr from "ipaddr.js";
import * as z from "zod";

export const splitList = (text: string): string[] =>
  text
    .split(",")
    .map((part) => part.trim())
    .filter(Boolean);

export function refuse(context: z.RefinementCtx, message: string) {
  context.addIssue({ code: "custom", message });
  return z.NEVER;
}

const textWith = (pattern: RegExp, rule: string) => z.string().regex(pattern, rule);
const textThat = (isValid: (text: string) => boolean, rule: string) =>
  z.string().refine(isValid, rule);

const listOf = (rule: string, isPart: (part: string) => boolean, partsOf = splitList) =>
  z
    .string()
    .default("")
    .transform(partsOf)
    .refine((parts) => parts.every(isPart), rule);

export const oneOf = <const T extends readonly [string, string, ...string[]]>(...words: T) =>
  z.enum(words, `${words.slice(0, -1).join(", ")} or ${words.at(-1)}`);

export const count = (digits: number, fallback: number) =>
  textWith(
    new RegExp(`^[1-9]\\d{0,${digits - 1}}$`),
    `a whole number from 1 to ${10 ** digits - 1}`,
  )
    .transform(Number)
    .default(fallback);

const isPort = (text: string) => /^\d{1,5}$/.test(text) && +text >= 1 && +text <= 65535;

export const port = (fallback: number) =>
  textThat(isPort, "a port number from 1 to 65535").transform(Number).default(fallback);

/** This does not check that the machine has the address: only listening shows that. */
export const host = textWith(
  /^[\w.:%-]{1,255}$/,
  "an address of this machine, such as 127.0.0.1 or ::1",
);

const toCidr = (text: string) => {
  const family = isIP(text);
  return family ? `${text}/${family === 4 ? 32 : 128}` : text;
};

export const cidrs = listOf(
  "addresses and CIDRs joined by commas, such as 10.0.0.1,fd00::/8",
  (text) => ipaddr.isValidCIDR(text),
  (text) => splitList(text).map(toCidr),
);

const isHost = (text: string) => isIP(text) > 0 || /^[a-z0-9][a-z0-9.-]{0,252}$/i.test(text);

export const hostOf = (url: string) => new URL(url).hostname.replace(/^\[|\]$/g, "");

export const hosts = listOf(
  "addresses without ports joined by commas, such as 10.0.0.1,10.0.0.2",
  isHost,
);

const isHostName = (text: string) =>
  /^[a-z0-9._-]+$/.test(text) && !isIP(text) && URL.parse(`https://${text}`)?.hostname === text;

export const hostNames = listOf(
  "host names joined by commas, such as app.example.com,admin.example.com",
  isHostName,
  (text) => splitList(text.toLowerCase()),
);

const isHttp = (text: string) => /^https?:$/.test(URL.parse(text)?.protocol ?? "");

const isOrigin = (text: string) => {
  const url = URL.parse(text);
  const otherParts = url && url.search + url.hash + url.username + url.password;
  return isHttp(text) && url?.pathname === "/" && otherParts === "";
};

export const origin = textThat(
  isOrigin,
  "an http or https origin without a path, such as https://deed.example.org",
).transform((text) => new URL(text).origin);

export const pageUrl = textThat(
  isHttp,
  "an http or https URL, such as https://docs.example.org/deed",
).transform((text) => text.replace(/\/+$/, ""));

export const stampUrl = textThat(
  // The port is "" if it is the scheme's own.
  (text) => isHttp(text) && Number(URL.parse(text)?.port || 1024) >= 1024,
  "an http or https URL with port 80, 443, or 1024 and above, such as http://timestamp.digicert.com",
);

export const smtpUrl = textThat(
  (text) => !/^smtps?:\/\/[^/?#]*[/?#].*@/.test(text),
  "a URL with user and password percent-encoded, / as %2F, ? as %3F and # as %23",
).refine(
  (text) => /^smtps?:\/\/\S+$/.test(text) && Boolean(URL.parse(text)?.hostname),
  "an smtp:// or smtps:// URL, such as smtp://user:password@mail.example.org:587",
);

export const mailAddress = textWith(
  /^[^\r\n]*[^\s@]+@[^\s@]+$|^[^\r\n]*<[^\s@]+@[^\s@]+>$/,
  "an email address, such as Deed <deed@example.org>",
);

export const isLoopbackHost = (host: string) => /^(localhost|127(\.\d+){3}|\[?::1\]?)$/.test(host);

export const issuer = textThat((text) => {
  const url = URL.parse(text);
  return url?.protocol === "https:" || (url?.protocol === "http:" && isLoopbackHost(url.hostname));
}, "the issuer's https URL (plain http on loopback only)");

export const BUDGET = /^[1-9]\d{0,8}\/[1-9]\d{0,6}(,[1-9]\d{0,8}\/[1-9]\d{0,6})*$/;

export const budget = (fallback: string) =>
  textWith(BUDGET, "count/seconds, several joined by commas, such as 1/10,20/3600")
    .default(fallback)
    .transform(budgetParts);

/** `text` must be in the format of a budget. */
export const budgetParts = (text: string) =>
  text.split(",").map((part) => {
    const [count, seconds] = part.split("/");
    return { count: Number(count), seconds: Number(seconds) };
  });

const newestFirst = (item: string, isPart: (part: string) => boolean, partsOf = splitList) =>
  z
    .string()
    .transform(partsOf)
    .refine(
      (all) => all.length > 0 && all.every(isPart),
      `${item} each, newest first, joined by commas`,
    );

export const secrets = newestFirst(
  "secrets of at least 32 characters",
  ({ length }) => length >= 32,
);

/** The private halves of Ed25519 keys (RFC 8032 section 5.1.5), in lower case. */
export const signingKeys = newestFirst(
  "keys of 64 hexadecimal digits",
  (key) => /^[0-9a-f]{64}$/.test(key),
  (text) => splitList(text.toLowerCase()),
);

export const DEFAULT_LABEL = "_service-challenge";

export const challengeLabel = textWith(
  /^_?[a-z0-9]([a-z0-9-]{0,60}[a-z0-9])?$/,
  "one lower-case DNS label of at most 62 characters, such as _service-challenge",
).default(DEFAULT_LABEL);

export const tokenPrefix = textWith(/^[a-z0-9_-]{1,32}$/, "1 to 32 of a-z, 0-9, _ and -").default(
  "service_v1_",
);

const LISTENER = /^(?:\[([0-9a-f:.]+)\]|([\d.]+)):(\d{1,5})$/i;

/** METRICS: no metrics, or metrics on the service's own port or at another address. */
export const metrics = z
  .string()
  .default("off")
  .transform((text, context) => {
    if (text === "off" || text === "on") return text;
    const [, ipv6, ipv4 = "", digits] = LISTENER.exec(text) ?? [];
    const host = ipv6 ?? ipv4;
    const port = Number(digits);
    if (isIP(host) === (ipv6 ? 6 : 4) && port >= 1 && port <= 65535) return { host, port };
    return refuse(
      context,
      "off, an address and port such as 127.0.0.1:9464, or on for the service's own port",
    );
  });

export const metricsToken = textWith(
  /^[\w.~+/=-]{32,256}$/,
  "32 to 256 letters, digits or any of - . _ ~ + / =",
);

function addressOrDomain(text: string): string | null {
  const [, local = "", domain = ""] =
    /^([^\s@"<>*]*)@([^\s@"<>*]+)$/.exec(text.toLowerCase()) ?? [];
  const ascii = domainToASCII(domain);
  return ascii === "" ? null : `${local}@${ascii}`;
}

const addressList = (rule: string, withDomains: boolean) =>
  z.string().transform((text, context) => {
    const entries = splitList(text).map(addressOrDomain);
    const validEntries = entries.filter(
      (entry) => entry !== null && (withDomains || !entry.startsWith("@")),
    );
    if (validEntries.length === entries.length) return validEntries as string[];
    return refuse(context, rule);
  });

export const signUp = z
  .union(
    [z.literal("open"), z.literal("closed").transform((): string[] => []), addressList("", true)],
    "open, closed, or addresses and @domains (without *) joined by commas, such as kim@example.org,@example.com",
  )
  .optional();

export const addresses = addressList(
  "addresses joined by commas, such as kim@example.org",
  false,
).default([]);

const OCTETS: Record<number, number> = { 2: 32, 4: 48 };

const isUsable = ({ digestType, digest }: Anchor) => OCTETS[digestType] === digest.length;

/** DS records in zone-file format, by default those of the root; with "none", no chain is checked. */
export const trustAnchors = z
  .string()
  .optional()
  .transform((text, context) => {
    if (text === undefined) return ROOT_ANCHORS;
    if (text.trim() === "none") return [];
    const lines = splitList(text);
    const anchors = lines.flatMap((line) => parseAnchor(line) ?? []).filter(isUsable);
    if (anchors.length === lines.length && anchors.length > 0) return anchors;
    return refuse(
      context,
      "none, or whole DS records with SHA-256 or SHA-384, joined by commas, such as . IN DS 20326 8 2 E06D44B8…",
    );
  });
