import { toAscii } from "@deed/dns/library/idna.ts";

/** RFC 5321 section 4.5.3.1 limits a path (here without its angle brackets) and its local part, in octets. */
const MAX_ADDRESS = 254;
const MAX_LOCAL_PART = 64;

/** Matches a dot-atom (RFC 5322 section 3.2.3), which is safe in any header. */
const LOCAL_PART = /^[a-z0-9!#$%&'*+/=?^_`{|}~-]+(\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/;
const LABEL = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/;

/** Matches a last label by which URL parsers take a host for an IPv4 address (WHATWG URL, host parsing). */
const ENDS_IN_A_NUMBER = /^(\d+|0x[0-9a-f]*)$/;

const foldsIntoAscii = (letter: string) =>
  letter > "\x7f" &&
  (/[!-~]/.test(letter.toLowerCase() + letter.normalize("NFKC")) ||
    /^[!-~]$/.test(letter.toUpperCase()));

/** Returns an address in lower case, its domain in ASCII; null for any other text, and if letters in it fold into ASCII. */
export function parseAddress(text: string): string | null {
  const typedAddress = text.trim();
  if (typedAddress.length > MAX_ADDRESS || [...typedAddress].some(foldsIntoAscii)) return null;
  const [local = "", host = "", ...more] = typedAddress.toLowerCase().split("@");
  if (more.length > 0 || local.length > MAX_LOCAL_PART || !LOCAL_PART.test(local)) return null;
  const domain = asciiDomain(host);
  if (!domain) return null;
  const address = `${local}@${domain}`;
  return address.length > MAX_ADDRESS ? null : address;
}

/** Names a mailbox for budgets, never for mails: drops the part after a plus (RFC 5233), and the dots that Gmail ignores. */
export function mailboxOf(address: string): string {
  const mailbox = address.replace(/(?<=[^+@])\+[^@]*@/, "@");
  const [, gmail] = /^(.*)@(?:gmail|googlemail)\.com$/.exec(mailbox) ?? [];
  return gmail === undefined ? mailbox : `${gmail.replaceAll(".", "")}@gmail.com`;
}

function asciiDomain(host: string): string | null {
  const isPlain = /^[a-z0-9.-]+$/.test(host) && !/(^|\.)xn--/.test(host);
  const labels = (isPlain ? host : (toAscii(host) ?? "")).split(".");
  const last = labels.at(-1) ?? "";
  if (labels.length < 2 || !labels.every((label) => LABEL.test(label))) return null;
  return ENDS_IN_A_NUMBER.test(last) ? null : labels.join(".");
}
