import { describe, expect, it } from "vitest";
import { OTHER, TOKEN } from "../testing/observations.ts";
import { PANELS, type RecordLocation } from "./providers.ts";
import { rehearse } from "./rehearse.ts";
import { explainRehearsed, wildcardWarning } from "./sentences-rehearsal.ts";

const H = "_service-challenge";
const place: RecordLocation = {
  label: H,
  domain: "shop.acme.com",
  zone: "acme.com",
  token: TOKEN,
  provider: "godaddy",
};
const THEIRS = `service_v1_${"c3".repeat(20)}`;
const MINE = `service_v1_${"d4".repeat(20)}`;
const history = {
  endedTokens: [{ token: OTHER, endedAt: 0 }],
  domainOf: (token: string) => (token === MINE ? "other.test" : null),
};

describe("explainRehearsed", () => {
  it.each<[line: string, words: string]>([
    [`${H}.shop.acme.com TXT ${TOKEN}`, "GoDaddy will add the domain to the name"],
    [`shop TXT ${TOKEN}`, "will be at shop.acme.com itself"],
    [`www.shop TXT ${TOKEN}`, "will be at www.shop.acme.com, under www"],
    [`${H} TXT ${TOKEN}`, `will be at ${H}.acme.com, which is for another domain`],
    [`@ TXT ${TOKEN}`, "will be at acme.com, the top of the zone"],
    [`service_challenge.shop TXT ${TOKEN}`, "which is close to the right name but not the same"],
    [`${H}.shop.acme TXT ${TOKEN}`, "with part of the domain twice"],
    [`mail TXT ${TOKEN}`, "will be at mail.acme.com, not at"],
    [`${TOKEN}.shop TXT x`, "name and value will be swapped"],
    [`${H}.shop MX 10 ${TOKEN}.`, "will be in an MX record, not in a TXT record"],
    [`${H}.shop SPF "${TOKEN}"`, "will be in an SPF record, not in a TXT record"],
    [`${H}.shop NS ${TOKEN}.`, "will be in an NS record, not in a TXT record"],
    [`${H}.shop A 192.0.2.1`, "there will be no TXT record"],
    [`${H}.shop CNAME parked.test.`, "will be an alias of parked.test."],
    [`${H}.shop TXT TXT=${TOKEN}`, "the value will have extra text at the start"],
    [OTHER, "will have the value of your earlier claim"],
    [THEIRS, "will have the value of another claim, perhaps from another account"],
    [MINE, "will have the value for other.test"],
    ["v=spf1", `there will be a TXT record at ${H}.shop.acme.com, but with another value`],
  ])("%s", (line, words) => {
    const rehearsal = rehearse({ line }, place, history);
    if (!rehearsal?.diagnosis) throw new Error("nothing is wrong with it");
    const { cause, fix, pastes } = explainRehearsed(rehearsal.diagnosis, place, rehearsal.name);
    expect(cause).toContain(words);
    expect(cause).toMatch(/^If you save this, .*\bwill\b.*\.$/);
    expect(fix).toMatch(/^In GoDaddy, set (Name|Value|Type) /);
    expect(fix).not.toMatch(/\b(edit|replace|leave)\b/);
    expect(fix.endsWith(`: ${pastes.at(-1)?.value}`)).toBe(true);
    for (const paste of pastes)
      expect([PANELS.godaddy.host, PANELS.godaddy.value]).toContain(paste.field);
  });
});

it("names every name that would stop resolving", () => {
  const deep = { ...place, domain: "a.b.acme.com" };
  expect(wildcardWarning("*.acme.com", deep)).toMatch(
    /^The wildcard \*\.acme\.com answers for a\.b\.acme\.com and b\.acme\.com today\. It will stop /,
  );
});
