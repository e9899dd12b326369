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
    [`${H}.shop.acme.com TXT ${TOKEN}`, "the panel would add the domain"],
    [`shop TXT ${TOKEN}`, "would stand at shop.acme.com itself"],
    [`www.shop TXT ${TOKEN}`, "would stand at www.shop.acme.com, under www"],
    [`${H} TXT ${TOKEN}`, `would stand at ${H}.acme.com, which speaks for another name`],
    [`@ TXT ${TOKEN}`, "would stand at acme.com, the name of the whole zone"],
    [`service_challenge.shop TXT ${TOKEN}`, "which is close to the right name but not it"],
    [`${H}.shop.acme TXT ${TOKEN}`, "a part of the domain is in its name twice"],
    [`mail TXT ${TOKEN}`, "would stand at mail.acme.com, and there would be none at"],
    [`${TOKEN}.shop TXT x`, "the token would be the name of a record"],
    [`${H}.shop MX 10 ${TOKEN}.`, "would hold the token, but not be a TXT record"],
    [`${H}.shop SPF "${TOKEN}"`, "would hold the token, but not be a TXT record"],
    [`${H}.shop NS ${TOKEN}.`, "would hold the token, but not be a TXT record"],
    [`${H}.shop A 192.0.2.1`, "there would be no TXT record"],
    [`${H}.shop CNAME parked.test.`, "would be an alias of parked.test."],
    [`${H}.shop TXT TXT=${TOKEN}`, "the value would have text in front of the token"],
    [OTHER, "would hold the token of an earlier claim on this name"],
    [THEIRS, "would hold the token of another claim, perhaps of another account"],
    [MINE, "would hold the token of your claim on other.test"],
    ["v=spf1", "would not hold the token"],
  ])("%s", (line, words) => {
    const rehearsal = rehearse({ line }, place, history);
    if (!rehearsal?.diagnosis) throw new Error("nothing is wrong with it");
    const { cause, fix, pastes } = explainRehearsed(rehearsal.diagnosis, place, rehearsal.name);
    expect(cause).toContain(words);
    expect(cause).toMatch(/^Saved like this, .*\bwould\b.*\.$/);
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
    /^The wildcard \*\.acme\.com answers for a\.b\.acme\.com and b\.acme\.com today\. It would stop /,
  );
});
