import { MAX_NAME_LENGTH } from "../names.ts";
import { escapeUntrusted } from "../verdict/escape-untrusted.ts";
import { toAscii, toUnicode } from "./idna.ts";
import { InvalidInput } from "./invalid-input.ts";

export { InvalidInput };

const refusal = (message: string) => new InvalidInput("domain", message);
const tooLongError = () => refusal(`A domain cannot be longer than ${MAX_NAME_LENGTH} characters.`);
const addressError = () => refusal("This is an IP address. Type a domain instead.");

const NUMBER_LABEL = /^(\d+|0x[0-9a-f]*)$/;
export const isIpv6 = (name: string) => /^[0-9a-f.]*:[0-9a-f.]*:[0-9a-f:.]*(%.*)?$/i.test(name);

/** Refuses a name that is too long. A code point has at most two UTF-16 units, so far too long input is not counted. */
export function limitLength(input: string): void {
  if (input.length > 2 * MAX_NAME_LENGTH || Array.from(input).length > MAX_NAME_LENGTH)
    throw tooLongError();
}

/** A domain in A-labels (UTS 46), without a trailing dot. Throws InvalidInput, saying which rule `name` breaks. */
export function asciiName(name: string): string {
  limitLength(name);
  if (name === "") throw refusal("Type a domain, such as example.com.");
  if (name.startsWith("[") || isIpv6(name)) throw addressError();
  const ascii = toAscii(name);
  if (ascii === null) throw refusal(reasonInvalid(name));
  // URL parsers take a name with such an ending for an IPv4 address (URL Standard, "ends in a number").
  if (ascii.split(".").every((part) => NUMBER_LABEL.test(part))) throw addressError();
  if (NUMBER_LABEL.test(ascii.slice(ascii.lastIndexOf(".") + 1)))
    throw refusal("The last part of a domain cannot be a number.");
  return ascii;
}

function reasonInvalid(name: string): string {
  const unicode = toUnicode(name).domain;
  const labels = unicode.split(".");
  if (labels.includes("")) return "There are two dots in a row, or a dot at the start.";
  const badCharacter = /[\0-,/:-`{-\x7f]/.exec(unicode);
  if (badCharacter?.[0] === " ") return "A domain cannot contain spaces.";
  if (badCharacter) return `A domain cannot contain “${escapeUntrusted(badCharacter[0])}”.`;
  const asciiName = toAscii(name, false);
  if (asciiName !== null && asciiName.length > MAX_NAME_LENGTH) return tooLongError().message;
  if (asciiName !== null) return "A part of the domain is longer than 63 characters.";
  if (labels.some((part) => /^-|-$|^..--/su.test(part)))
    return "A part of the domain starts or ends with a hyphen, or has hyphens as its third and fourth character.";
  return "This is not a valid internationalized domain (UTS 46).";
}
