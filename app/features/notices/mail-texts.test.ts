import { describe, expect, it } from "vitest";
import type { Registry } from "#app/features/zones/resources.ts";
import { NOTICE_KINDS } from "#db/schema.ts";
import { handoffMail } from "../handoffs/handoff-mails.server.ts";
import { signInMail } from "../sign-in/magic-link.server.ts";
import { troubleWords } from "../watching/trouble.ts";
import type { MailBody } from "./mail-texts.ts";
import { type NoticeFacts, noticeMail } from "./notice-letters.ts";

const AT = Date.UTC(2026, 2, 12, 14, 3, 22);
const BASE = "https://deed.example.org";
const LABEL = "_service-challenge";
const TOKEN = `service_v1_${"0123456789abcdef".repeat(3).slice(0, 40)}`;

const WRONG_NAME = "The record landed on the wrong name.";
const FACTS: NoticeFacts = {
  domain: "xn--bcher-kva.example",
  reference: null,
  unicodeDomain: "bücher.example",
  claimUrl: `${BASE}/domains/dom_1?claim=clm_1`,
  settingsUrl: `${BASE}/account`,
  claimedAt: AT,
  expiresAt: AT + 7 * 86_400_000,
  provedAt: AT + 60_000,
  record: { host: LABEL, name: `${LABEL}.xn--bcher-kva.example`, type: "TXT", value: TOKEN },
  outstanding: { cause: WRONG_NAME, registry: null, fix: "Leave only the host in Name." },
  wait: null,
  fate: "Keep the TXT record.",
  trouble: { ...troubleWords("lapsed"), isLost: true, worth: "Do not rely on this proof now." },
  other: { maskedEmail: "m•••@acme.com", provedAt: AT },
  watch: {
    ...{
      seenAt: AT,
      missingSince: AT + 60_000,
      movedTo: ["ns1.new.example"],
      registeredAt: AT,
      expiresAt: AT,
      every: "day",
    },
    stopUrl: `${BASE}/w/${"a".repeat(26)}`,
  },
  now: AT + 60_000,
};
const HOSTILE = "<script>alert(1)</script>\u202e\"'&\u0007\r\nBcc: eve@example.org";

const urls = ({ text, html }: MailBody) => [
  ...text.matchAll(/https?:[^\s]+/g),
  ...html.matchAll(/https?:[^\s"<]+/g),
];

function readsWell(mail: MailBody): void {
  for (const line of mail.text.split("\n")) {
    expect(line.length <= 72 || !line.trim().includes(" "), line).toBe(true);
  }
  expect(mail.text).not.toMatch(/[^\S\n ]|(?!\n)\p{Cc}|\p{Cf}/u);
  expect(mail.subject).not.toMatch(/[\r\n\u202e]/);
  expect(mail.html).toMatch(/^<!doctype html>\n<html lang="en">/);
  expect(mail.html).not.toMatch(/<(script|img|iframe|link|form)|\son\w+=|src=/i);
  for (const [url] of urls(mail)) expect(url.startsWith(`${BASE}/`), url).toBe(true);
}

it("the sign-in mail reads well, and carries link and code where a person finds them", () => {
  const who = { email: "o'neill&co@example.org", proving: "xn--bcher-kva.example" };
  const secrets = { token: "t".repeat(43), code: "012345", minutes: 15 };
  const mail = signInMail({ baseUrl: BASE, ...who, ...secrets });
  readsWell(mail);
  expect(mail.text).toContain(`\n${BASE}/sign-in/confirm?token=${"t".repeat(43)}\n`);
  expect(mail.text).toContain("\n    012345\n");
  expect(mail.text).toMatch(/and prove\sxn--bcher-kva\.example\./);
  expect(mail.html).toContain("o&#39;neill&amp;co@example.org");
  expect(mail.text).toMatch(/\n-- \n/);
  expect(mail.subject).toBe("012345 is your Deed code");
  expect(mail.html.match(/<a /g)).toHaveLength(1);
});

it("the mail of a hand-off reads well, names domain and asker, and has a link that stops such mails", () => {
  const [url, stopUrl] = [`${BASE}/h/${"a".repeat(26)}`, `${BASE}/m/${"b".repeat(26)}`];
  const who = { domain: FACTS.domain, fate: FACTS.fate, asker: "o'neill&co@example.org" };
  const mail = handoffMail({ ...who, baseUrl: `${BASE}/`, url, stopUrl });
  readsWell(mail);
  const asks = "o'neill&co@example.org asks you to add a TXT record to the DNS of xn--";
  expect(mail.text.replace(/\n/g, " ")).toContain(asks);
  expect(mail.text).toContain(FACTS.fate);
  expect(mail.subject).toContain(FACTS.domain);
  expect(mail.html.match(/border:2px solid/g)).toHaveLength(1);
  expect(mail.text).toContain(`\n${stopUrl}\n`);
});

describe.each(NOTICE_KINDS)("the mail of a notice: %s", (kind) => {
  it("reads well and names the domain in both forms", () => {
    const mail = noticeMail(kind, FACTS);
    readsWell(mail);
    expect(mail.subject).toContain(FACTS.domain);
    expect(mail.text.replace(/\n/g, " ")).toContain("bücher.example (xn--bcher-kva.example)");
    expect(mail.text).toContain(`\n${FACTS.claimUrl}\n`);
    expect(mail.text).toContain(`\n${FACTS.settingsUrl}\n`);
    expect(mail.html.match(/border:2px solid/g)).toHaveLength(1);
  });

  it("keeps hostile text harmless and visible", () => {
    const hostile = noticeMail(kind, {
      ...FACTS,
      domain: HOSTILE,
      unicodeDomain: HOSTILE,
      record: FACTS.record && { ...FACTS.record, value: HOSTILE },
      outstanding: { cause: HOSTILE, registry: null, fix: `${HOSTILE}${"x".repeat(70_000)}` },
      other: { maskedEmail: HOSTILE, provedAt: AT },
    });
    expect(hostile.html).not.toContain("<script>");
    expect(hostile.html).toContain("&lt;script&gt;");
    for (const part of [hostile.text, hostile.html, hostile.subject]) {
      expect(part).toContain("\\u{202e}");
      expect(part).not.toMatch(/(?!\n)\p{Cc}|\p{Cf}/u);
      expect(part).not.toMatch(/^Bcc:/m);
    }
    expect(hostile.html.length).toBeLessThan(20_000);
  });
});

describe("what a notice says", () => {
  const flat = (kind: (typeof NOTICE_KINDS)[number], facts: Partial<NoticeFacts> = {}) =>
    noticeMail(kind, { ...FACTS, ...facts }).text.replace(/\s+/g, " ");

  it.each(["nudge", "expiring"] as const)("%s: the fix, the record, and until when", (kind) => {
    const text = flat(kind);
    expect(text).toContain("The record landed on the wrong name. Leave only the host in Name.");
    expect(text).toContain(`Type TXT Name _service-challenge Value ${TOKEN}`);
    expect(text).toContain("19 March 2026 at 14:03 UTC");
  });

  const [MISSING, ENDING] = (["missing", "registration_expiring"] as const).map((kind) => ({
    ...{ ...troubleWords(kind), isLost: false, worth: "Be careful." },
  }));
  const wait = { reason: "negative_cache", secondsRemaining: 300 } as const;
  const NEXT =
    "Every nameserver that answers has the record. Two more public resolvers are asked next.";
  const ADD = "add the record at the new DNS provider:";
  const IF = "If you do not know who this is";
  const [LOST, AS] = ["the domain has lost its record.", `its record is missing. ${IF}`];
  it.each([
    ["nudge", { outstanding: null, wait }, "still have the old answer cached"],
    ["nudge", { outstanding: null, wait: { ...wait, unasked: 2 } }, NEXT],
    ["proved", {}, "bücher.example (xn--bcher-kva.example) on 12 March 2026 at 14:04 UTC."],
    ["coexistence", {}, "m•••@acme.com proved bücher.example"],
    ["coexistence", { trouble: null }, "Your proof is still valid. If you do not know who this is"],
    ["coexistence", {}, `before. Do not rely on your own proof now: ${LOST} ${IF}`],
    ["coexistence", { trouble: MISSING }, `before. Be careful with your own proof now: ${AS}`],
    ["coexistence", { trouble: ENDING }, "before. Your proof is still valid. If you do"],
    ["proved", {}, "Keep the TXT record."],
    ["proved", { watch: null }, "because you started to prove this domain on Deed."],
    ["lapsed", {}, "Do not rely on this proof now. Keep the TXT record."],
    ["missing", { trouble: MISSING }, "2026 at 14:03 UTC. Keep the TXT record."],
    ["lapsed", { trouble: null }, "once a day. Keep the TXT record."],
    ["moved", {}, "The new nameservers, ns1.new.example, do not have it."],
    ["moved", {}, `ask your registrar, or whoever runs the zone above it. If you did, ${ADD}`],
  ] as const)("%s, with %j: %s", (kind, facts, words) => {
    expect(flat(kind, facts)).toContain(words);
  });

  it.each(NOTICE_KINDS)("%s: whom the domain is for, if the account said so", (kind) => {
    const mail = noticeMail(kind, { ...FACTS, reference: `cust_42 ${HOSTILE}` });
    readsWell(mail);
    expect(mail.subject).toMatch(/xn--bcher-kva\.example for cust_42 /);
    expect(mail.text.replace(/\s+/g, " ")).toContain("(xn--bcher-kva.example for cust_42");
    expect(noticeMail(kind, FACTS).subject).not.toMatch(/example for/);
  });

  it("nudge: what the registry knows, and asks for that alone", () => {
    const registry: Registry = {
      ...{ name: "acme.com", registered: true, statuses: ["client hold"], expiresAt: null },
      ...{ nameservers: null, delegationSigned: null, askedAt: "2026-11-22T12:00:00.000Z" },
      cause: "The registrar has put acme.com on hold.",
      fix: "Ask the registrar what it needs to take acme.com off hold.",
    };
    const outstanding = { cause: "No nameservers.", registry, fix: "Enter nameservers." };
    const text = flat("nudge", { outstanding });
    expect(text).toContain(`${registry.cause} The registry said so on 22 November 2026.`);
    expect(text).toContain(registry.fix);
    expect(text).not.toContain("Enter nameservers.");
  });
});
