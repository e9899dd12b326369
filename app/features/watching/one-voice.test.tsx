import { absentAt, foundAt } from "@deed/dns/testing/readings.ts";
import { eq } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { commit } from "#app/core/commit.server.ts";
import { createNotice } from "#app/core/feed/feed.server.ts";
import { htmlOf } from "#app/core/testing/html.tsx";
import { DAY, iso } from "#app/core/time.ts";
import { meta as titleOfDomain } from "#app/routes/domains.$id.tsx";
import { meta as titleOfProof } from "#app/routes/p.$slug.tsx";
import { NOTICE_KINDS, watches } from "#db/schema.ts";
import { ensureByName } from "../by-name/by-name.server.ts";
import { cancelClaim, openClaim, readClaim } from "../claims/claims.server.ts";
import { addDomain, archiveDomain } from "../domains/domains.server.ts";
import { sendDueMails } from "../notices/notice-mails.server.ts";
import { listNotices, noticeWords, withNames } from "../notices/notices.server.ts";
import { NoticeList } from "../notices/view/notice-list.tsx";
import { type Life, life, wordsIn } from "./testing/life.tsx";
import { goneAt, live, movedAt, type ObserveQuestion, silentAt } from "./testing.ts";
import { troubleWords } from "./trouble.ts";
import { updateLoss } from "./watch-rows.server.ts";
import { isTrouble } from "./watch-states.ts";
import { unwatchClaim } from "./watches.server.ts";

const OTHERS = " Keep the other values at its name: they are still needed.";
const FREE = "You can delete the TXT record now.";
const KEEP = "Keep the TXT record: Deed checks it every day.";
const THERE = "The TXT record should be there: Deed checks it every day.";
const VOID =
  "This claim’s value is no longer accepted: you can delete its TXT record, if there is one.";
const LATER = "You can delete the TXT record after the proof.";
const KEPT_LATER = "Keep the TXT record after the proof: Deed then checks it every day.";
const NOT_COUNTED = "The TXT record no longer counts: the domain was registered after the proof.";
const GONE = "The TXT record was deleted, and is no longer needed.";

type Step = (life: Life) => Promise<unknown>;
const prove: Step = (one) => one.prove();
const watched =
  (days?: number, see?: ObserveQuestion): Step =>
  (one) =>
    one.watched(days, see);
const after =
  (days: number, see: ObserveQuestion): Step =>
  ({ service }) =>
    live(service, days, see);
const unwatched: Step = ({ ctx, account, claim }) => unwatchClaim(ctx, account.id, claim.id);
const canceled: Step = ({ ctx, account, claim }) => cancelClaim(ctx, account.id, claim.id);
const archived: Step = ({ ctx, account, claim }) => archiveDomain(ctx, account.id, claim.domainId);
const reopened: Step = ({ ctx, account, claim }) => openClaim(ctx, account.id, claim.domainId);
const toBeWatched: Step = ({ ctx, account }) =>
  ensureByName(ctx, account.id, { name: "acme.com", watch: true });
const besideAnother: Step = async ({ ctx, account }) => {
  const { domain } = await addDomain(ctx, account.id, "acme.com", { reference: "other" });
  await openClaim(ctx, account.id, domain.id);
};

/** The registry's statement about the domain, its notice and its mail. */
const told =
  (kind: "registered_again" | "registration_expiring"): Step =>
  async ({ ctx, claim, service, account }) => {
    const now = service.now;
    const said =
      kind === "registered_again"
        ? ({ registry: kind, registeredAt: now - DAY } as const)
        : { expiresAt: now + 12 * DAY, expiryTold: 30 };
    await commit(ctx, (tx) => {
      const row = { ...said, registryAt: now };
      tx.update(watches).set(row).where(eq(watches.claimId, claim.id)).run();
      updateLoss(tx, claim.domainId, now, []);
      const subject = { id: claim.id, domainId: claim.domainId, accountId: account.id };
      createNotice(tx, kind, subject, now);
    });
    while (await sendDueMails(ctx, new AbortController().signal));
  };
const registeredAgain = told("registered_again");
const registrationEnds = told("registration_expiring");

type Row = {
  /** What the record is for, in every place that says so. */
  fate: string;
  holds?: boolean;
  /** Whether the newest mail is about this state. */
  isMailed?: boolean;
  /** The state's words in each place; none before a proof. */
  word?: string;
  /** The first words of the proof's page: how good it is today. */
  worth?: RegExp;
};
const DATED = /^Good for its date only: the record is not watched/;
const LOST = /^Do not rely on this proof now: /;
const SEEN = /^Still good: the record was last seen on [45] January 2026 at /;
const AGAIN = { fate: NOT_COUNTED, word: "registered again", worth: LOST };
const FREED = { ...AGAIN, fate: FREE };
const BESIDE = { fate: FREE + OTHERS, holds: true, isMailed: true };
const MISSED = { fate: THERE, word: "lost its record", worth: LOST };
const MOVED = { fate: THERE, word: "moved to other nameservers", worth: LOST };
const ENDS = { fate: KEEP, holds: true, isMailed: true, word: "registration ends in 12 days" };
const SOON = { ...ENDS, worth: /^Still good, / };
const UNSEEN = { ...ENDS, worth: /^Good when last seen, but its registration ends in 12 days\./ };
const CAREFUL = /^Be careful with this proof now: /;
const MISSING = { fate: THERE, word: "missing its record", worth: CAREFUL };
const GOOD = { holds: true, word: "proved" };
const AGAIN_SEEN = /^Still good: the record was last seen on /;
const SEEN_AGAIN = { ...GOOD, fate: KEEP, worth: AGAIN_SEEN };
const UNCONFIRMED = { ...SEEN_AGAIN, fate: THERE };
const UNDELEGATED = { ...MISSED, isMailed: true, word: "no nameservers at the registry" };

const ROWS: [state: string, steps: Step[], row: Row][] = [
  ["open", [], { fate: LATER }],
  ["open, to be watched", [toBeWatched], { fate: KEPT_LATER }],
  ["canceled", [canceled], { fate: VOID }],
  ["expired", [after(8, absentAt)], { fate: VOID }],
  ["proved", [prove], { ...GOOD, fate: FREE, isMailed: true, worth: DATED }],
  ["proved, another value needed", [besideAnother, prove], BESIDE],
  ["deleted after its proof", [prove, after(3, absentAt)], { ...GOOD, fate: GONE, worth: DATED }],
  ["watched", [watched()], { ...GOOD, fate: KEEP, worth: SEEN }],
  ["watched from its proof on", [toBeWatched, prove], { fate: KEEP, holds: true, isMailed: true }],
  ["not found by one check", [watched(0.1, absentAt)], UNCONFIRMED],
  ["missing", [watched(3, absentAt)], { ...MISSING, holds: true, isMailed: true }],
  ["lapsed", [watched(11, absentAt)], { ...MISSED, isMailed: true }],
  ["moved", [watched(3, movedAt)], { ...MOVED, isMailed: true }],
  ["gone", [watched(3, goneAt)], UNDELEGATED],
  ["registered again", [watched(9), registeredAgain], { ...AGAIN, isMailed: true }],
  ["its registration ends soon", [watched(9), registrationEnds], SOON],
  [
    "watched, and silent for two months",
    [watched(), after(60, silentAt)],
    {
      ...{ ...GOOD, fate: KEEP },
      worth: /^Good when last seen, on [45] January 2026 at .+ UTC: no check since has shown /,
    },
  ],
  [
    "its registration ends soon, and it is silent",
    [watched(), after(7, silentAt), registrationEnds],
    UNSEEN,
  ],
  ["seen again", [watched(11, absentAt), after(2, foundAt)], SEEN_AGAIN],
  ["moved, then back without its record", [watched(3, movedAt), after(3, absentAt)], MISSED],
  ["moved, and no longer watched", [watched(3, movedAt), unwatched], { ...MOVED, fate: FREE }],
  ["lapsed, and no longer watched", [watched(11, absentAt), unwatched], { ...MISSED, fate: FREE }],
  ["registered again, and no longer watched", [watched(9), registeredAgain, unwatched], FREED],
  ["archived", [watched(), archived], { fate: FREE }],
  ["open again after a proof", [watched(), reopened], { fate: KEEP + OTHERS, holds: true }],
];

const WORDS = new Set(
  ROWS.flatMap(([, , { word = "proved" }]) => (word === "proved" ? [] : [word])),
);
/** Words that would praise a proof in trouble. */
const GREEN =
  /is proved|valid link|are valid|share this link|proof holds|still good|doesn’t check the domain again|the time after the proof|not about today/i;

/** Words that say whether a record may be removed, rightly or not. */
const OF_RECORD =
  /(can|may) delete|delete it|keep (it|the)\b|add it again|should be there|no longer needed|still needed|after the proof/i;
/** Titles, and the effect of another click. */
const TITLES =
  /The record is no longer needed|Or (add it again, and )?have Deed check it daily|Other values at this name/g;
const SPEAKS = ["domain page", "hand-off page", "mail", "link of mails"];
const READERS = /Deed checks the record[^.]+|The record is no longer needed, [^.]+/;
const TOLD_AS_LOST =
  /do not rely|lost its record|moved to other|no nameservers at|registered again/i;
const table: string[] = [];

const noticesOf = ({ ctx, account }: Life) =>
  withNames(ctx, account.id, listNotices(ctx, account.id, {}).notices);
const all = (html: string, pattern: RegExp): string[] =>
  [...html.matchAll(pattern)].map(([, part = ""]) => wordsIn(part));
const first = (html: string, pattern: RegExp): string => all(html, pattern)[0] ?? "";

describe("C27.11, C29.9, C29.10: every place", { shuffle: false }, () => {
  test.each(ROWS)("%s: one state, in the same words in every place", async (state, steps, row) => {
    const { fate, holds = false, isMailed = false, word, worth } = row;
    const one = await life();
    for (const step of steps) await step(one);
    expect(await one.holds()).toBe(holds);
    const { page, proof, ...screens } = await one.screens(isMailed);
    const said = Object.entries(screens).map(([place, html]) => [place, wordsIn(html)] as const);

    table.push(`${state}: ${holds ? "holds" : "does not hold"}`);
    const isProved = (await readClaim(one.ctx, one.account.id, one.claim.id)).state === "proved";
    const isPutAway = state === "archived";
    if (isPutAway) expect(screens["domain page"]).toContain(`/api/claims/${one.claim.id}/receipt`);
    for (const [place, words] of said) {
      const rest = words.replaceAll(fate, "").replace(TITLES, "");
      const says = words.includes(fate);
      if (SPEAKS.includes(place)) expect(says, `${place}: ${words}`).toBe(true);
      const other = place === "proof page" ? /You can delete/ : OF_RECORD;
      expect(other.exec(rest)?.[0], `${place}: ${rest}`).toBeUndefined();
      const isLost = TOLD_AS_LOST.test(words);
      // A notice is of a moment.
      const isRelied = place !== "notices" && /is proved/.test(words);
      const marks = `${isLost ? " (lost)" : ""}${isRelied ? " (relied on)" : ""}`;
      table.push(`  ${place}: ${says ? fate : (READERS.exec(words)?.[0] ?? "-")}${marks}`);
      const speaks = ["domain page", "domain list", "proof page", "mail"].includes(place);
      if (speaks && isProved && !isPutAway && !state.startsWith("open again"))
        expect(isLost, `${place}: ${words}`).toBe(!holds);
      if (isRelied) expect(holds || isPutAway, place).toBe(true);
    }
    if (word === undefined) return;

    const tone =
      word === "proved" ? word : word.startsWith("registration ends") ? "waiting" : "needs";
    const titled = (meta: typeof titleOfDomain | typeof titleOfProof, data: object) =>
      JSON.stringify(meta({ data } as never)?.[0]);
    const [domainPage, list] = [screens["domain page"], screens["domain list"]];
    const proofPage = screens["proof page"] ?? "";
    const card = first(domainPage, /<section class="card"[^>]*>([\s\S]*?)<\/section>/g);
    const map = first(domainPage, /<section class="path-section">([\s\S]*?)<\/section>/g);
    const { subject = "" } = one.service.mails.at(-1) ?? {};
    const places: Record<string, string> = {
      chip: first(domainPage, /<span role="status">([\s\S]*?)<\/span><\/span>/g),
      title: titled(titleOfDomain, page),
      heading: first(domainPage, /<section class="card"[^>]*><h2[^>]*>([\s\S]*?)<\/h2>/g),
      list: first(list, /(<span class="state [\s\S]*?<\/svg>[^<]*)<\/span>/g),
      proof: first(proofPage, /(<span class="state [\s\S]*?<\/svg>[^<]*)<\/span>/g),
      ...(tone !== "proved" && {
        "title of the proof": titled(titleOfProof, { screen: proof }),
        notice: first(screens.notices, /<li\b[^>]*>([\s\S]*?)<\/li>/g),
      }),
      ...(isMailed && { subject: subject.replace("on 24 January 2026", "in 12 days") }),
    };
    const rest = said.filter(([place]) => place !== "notices" && place !== "link of mails");
    const everywhere = [...Object.entries(places), ...rest, ["map", map], ["card", card]] as const;

    for (const [place, words] of Object.entries(places))
      expect(words.toLowerCase(), place).toContain(word);
    expect([places.title, places["title of the proof"]].join()).not.toMatch(/"title":"\p{Ll}/u);
    for (const [place, words] of everywhere)
      for (const other of WORDS)
        if (other !== word) expect(words.toLowerCase(), place).not.toContain(other);
    for (const html of [domainPage, list, proofPage])
      expect(/<span class="state (\w+)">/.exec(html)?.[1]).toBe(tone);
    expect(domainPage).toContain(`<h2 class="row ${tone}">`);
    expect(page.label.tone).toBe(tone);
    expect(map).toMatch(/^Where the record was on 3 January 2026/);

    // Only the last notice tells what is so now; all before are told as over, without the record's fate.
    const named = noticesOf(one);
    const tones = named.filter(({ kind }) => kind !== "proved").map((notice) => notice.tone);
    const isNow = tone !== "proved";
    expect(tones).toEqual(tones.map((_, place) => (isNow && place === 0 ? tone : "ended")));
    expect(named.map(({ next }) => next !== null)).toEqual(named.map((_, place) => place === 0));

    const sentence = first(proofPage, /<p class="worth[^"]*">([\s\S]*?)<\/p>/g);
    expect(sentence).toMatch(worth ?? "");
    const placeOnProof = (words: string) => wordsIn(proofPage).indexOf(words);
    expect(placeOnProof(sentence)).toBeLessThan(placeOnProof("proved control"));
    if (/can delete the TXT record now/.test(card))
      expect(card).not.toMatch(/add the record|stop watching/i);
    if (state === "not found by one check")
      expect(card).toMatch(/Checked .+ ago: no nameserver .+ six hours, you are notified\./);
    if (tone === "proved") return expect(card).toMatch(/Proof link/);
    const buttons = /<(?:button|a class="button quiet")[^>]*>([\s\S]*?)<\/(?:button|a)>/g;
    const cardHtml = /<section class="card"[\s\S]*?<\/section>/.exec(domainPage)?.[0] ?? "";
    const check = page.screen?.recordUse.watch && word !== "registered again" ? ["Check now"] : [];
    const acts = [...check, "Prove it again"];
    // Whoever did not move the domain has no time to lose.
    if (word.startsWith("moved")) acts.unshift("Revoke link");
    else acts.push("Revoke link");
    const shown = all(cardHtml, buttons).filter((button) => button !== "Stop watching");
    if (tone === "needs") expect(shown.slice(0, acts.length)).toEqual(acts);
    const isGood = tone === "waiting" ? /still good/gi : /^$/;
    for (const [place, words] of everywhere)
      expect(GREEN.exec(words.replace(isGood, ""))?.[0], `${place}: ${words}`).toBeUndefined();
    expect(card).toMatch(/Proof *3 January 2026/);
    expect(card).toContain("Revoke link");
    const until = /it is not back by \d+ January 2026, it counts as lost\. *Type *TXT/;
    if (word.startsWith("missing")) expect(card).toMatch(until);
    else expect(card).not.toContain("counts as lost");
    if (/missing since/.test(card)) expect(card).toMatch(/Checked .+ ago: .+Proof *3/);
    expect(placeOnProof("missing since")).toBeLessThan(placeOnProof("proved control"));
  });

  test("the table", async () => {
    await expect(`${table.join("\n")}\n`).toMatchFileSnapshot("one-voice.test.txt");
  });
});

test("a registration that ends and a record that is missing are told apart", async () => {
  const one = await life();
  await one.watched(9);
  await registrationEnds(one);
  const tones = () => noticesOf(one).map(({ kind, tone }) => [kind, tone]);
  const before = [
    ["registration_expiring", "waiting"],
    ["proved", expect.anything()],
  ];
  await live(one.service, 3, absentAt);
  expect(tones()).toEqual([["missing", "needs"], ...before]);
  await live(one.service, 1, foundAt);
  expect(tones()).toEqual([["missing", "ended"], ...before]);
});

test.each(NOTICE_KINDS)("a notice %s is sentences, with what becomes of the record", (kind) => {
  const ids = { id: "ntc_1", domainId: "dom_1", claimId: "clm_1" };
  const named = { domain: "acme.com", unicodeDomain: "acme.com", reference: null };
  const at = iso(0);
  const notice = { ...ids, ...named, kind, createdAt: at, readAt: at };
  for (const trouble of [isTrouble(kind) ? troubleWords(kind) : null, null]) {
    const told = { ...notice, ...noticeWords(kind, trouble), next: "Keep it." };
    expect(wordsIn(htmlOf(<NoticeList notices={[told]} now={at} />))).toMatch(/[a-z]\. ?Keep it\./);
  }
});
