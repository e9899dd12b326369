import { domainToASCII } from "node:url";
import * as z from "zod";
import { splitList } from "./formats.ts";

/** An address, or a domain with its @; in lower case, the domain in ASCII. Null if it is neither. */
function addressOrDomain(text: string): string | null {
  const [, local = "", domain = ""] = /^([^\s@"<>]*)@([^\s@"<>]+)$/.exec(text.toLowerCase()) ?? [];
  const ascii = domainToASCII(domain);
  return ascii === "" ? null : `${local}@${ascii}`;
}

/** A list of addresses and, where `takesDomains`, @domains. */
const addressList = (what: string, takesDomains: boolean) =>
  z.string().transform((text, context) => {
    const entries = splitList(text).map(addressOrDomain);
    const known = entries.filter((one) => one !== null && (takesDomains || !one.startsWith("@")));
    if (known.length === entries.length) return known as string[];
    context.addIssue({ code: "custom", message: what });
    return z.NEVER;
  });

/** Who may open an account. */
export const signUp = z
  .union(
    [z.literal("open"), z.literal("closed").transform((): string[] => []), addressList("", true)],
    "open, closed, or addresses and @domains joined by commas, such as kim@example.org,@example.com",
  )
  .default("open");

export const addresses = addressList(
  "addresses joined by commas, such as kim@example.org",
  false,
).default([]);
