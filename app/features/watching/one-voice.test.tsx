import { absentAt, foundAt } from "@deed/dns/testing/readings.ts";
import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { commit } from "#app/core/commit.server.ts";
import { createNotice } from "#app/core/feed/feed.server.ts";
import { DAY } from "#app/core/time.ts";
import { meta as titleOfDomain } from "#app/routes/domains.$id.tsx";
import { meta as titleOfProof } from "#app/routes/p.$slug.tsx";
import { watches } from "#db/schema.ts";
import { sendDueMails } from "../notices/notice-mails.server.ts";
import { listNotices, withNames } from "../notices/notices.server.ts";
import { type Life, life, registeredAgain, wordsIn } from "./testing/life.tsx";
import { goneAt, movedAt, silentAt } from "./testing.ts";
import { unwatchClaim } from "./watches.server.ts";

const registrationEnds = async ({ ctx, claim, service, account }: Life) => {
  await commit(ctx, (tx) => {
    const said = { expiresAt: service.now + 12 * DAY, expiryTold: 30, registryAt: service.now };
    tx.update(watches).set(said).where(eq(watches.claimId, claim.id)).run();
    const subject = { id: claim.id, domainId: claim.domainId, accountId: account.id };
    createNotice(tx, "registration_expiring", subject, service.now);
  });
  while (await sendDueMails(ctx, new AbortController().signal));
};

type Row = {
  state: string;
  bring: (life: Life) => Promise<unknown>;
  /** The words for it in each place. */
  word: string;
  tone?: "proved" | "waiting" | "needs";
  /** The first words of its proof page: what it is worth today. */
  worth: RegExp;
  /** What its card has somebody press, in this order. */
  presses?: string[];
  isMailed?: boolean;
};

const AGAIN = ["Prove it again", "Revoke link"];
const LOST = /^Do not rely on this proof now: /;

const ROWS: Row[] = [
  {
    state: "proved",
    bring: ({ prove }) => prove(),
    word: "proved",
    tone: "proved",
    worth: /^Good for its date only: the record is not watched/,
    isMailed: true,
  },
  {
    state: "deleted after its proof",
    async bring({ prove, after }) {
      await prove();
      await after(3, absentAt);
    },
    word: "proved",
    tone: "proved",
    worth: /^Good for its date only: the record is not watched/,
  },
  {
    state: "watched",
    bring: ({ watched }) => watched(),
    word: "proved",
    tone: "proved",
    worth: /^Good today: the record was last seen on [45] January 2026 at /,
  },
  {
    state: "missing",
    bring: ({ watched }) => watched(3, absentAt),
    word: "missing its record",
    worth: /^Be careful with this proof now: /,
    presses: AGAIN,
    isMailed: true,
  },
  {
    state: "lapsed",
    bring: ({ watched }) => watched(11, absentAt),
    word: "lost its record",
    worth: LOST,
    presses: AGAIN,
    isMailed: true,
  },
  {
    state: "moved",
    bring: ({ watched }) => watched(3, movedAt),
    word: "moved to other nameservers",
    worth: LOST,
    presses: AGAIN,
    isMailed: true,
  },
  {
    state: "gone",
    bring: ({ watched }) => watched(3, goneAt),
    word: "no nameservers at the registry",
    worth: LOST,
    presses: AGAIN,
    isMailed: true,
  },
  {
    state: "registered again",
    async bring(life) {
      await life.watched(9);
      await registeredAgain(life);
    },
    word: "registered again",
    worth: LOST,
    presses: AGAIN,
    isMailed: true,
  },
  {
    state: "its registration ends soon",
    async bring(life) {
      await life.watched(9);
      await registrationEnds(life);
    },
    word: "registration ends in 12 days",
    tone: "waiting",
    worth: /^Good today, /,
    isMailed: true,
  },
  {
    state: "watched, and silent for two months",
    async bring({ watched, after }) {
      await watched();
      await after(60, silentAt);
    },
    word: "proved",
    tone: "proved",
    worth: /^Good when last seen, on [45] January 2026 at .+ UTC: no check since has shown /,
  },
  {
    state: "its registration ends soon, and it is silent",
    async bring(life) {
      await life.watched();
      await life.after(7, silentAt);
      await registrationEnds(life);
    },
    word: "registration ends in 12 days",
    tone: "waiting",
    worth: /^Good when last seen, but its registration ends in 12 days\./,
    isMailed: true,
  },
  {
    state: "seen again",
    async bring({ watched, after }) {
      await watched(11, absentAt);
      await after(2, foundAt);
    },
    word: "proved",
    tone: "proved",
    worth: /^Good today: the record was last seen on /,
  },
  {
    state: "moved, then back without its record",
    async bring({ watched, after }) {
      await watched(3, movedAt);
      await after(3, absentAt);
    },
    word: "lost its record",
    worth: LOST,
    presses: AGAIN,
  },
  {
    state: "moved, and no longer watched",
    async bring({ ctx, account, claim, watched }) {
      await watched(3, movedAt);
      await unwatchClaim(ctx, account.id, claim.id);
    },
    word: "moved to other nameservers",
    worth: LOST,
    presses: AGAIN,
  },
  {
    state: "lapsed, and no longer watched",
    async bring({ ctx, account, claim, watched }) {
      await watched(11, absentAt);
      await unwatchClaim(ctx, account.id, claim.id);
    },
    word: "lost its record",
    worth: LOST,
    presses: AGAIN,
  },
  {
    state: "registered again, and no longer watched",
    async bring(life) {
      await life.watched(9);
      await registeredAgain(life);
      await unwatchClaim(life.ctx, life.account.id, life.claim.id);
    },
    word: "registered again",
    worth: LOST,
    presses: AGAIN,
  },
];

const WORDS = [...new Set(ROWS.map(({ word }) => word))].filter((word) => word !== "proved");
/** What would speak for a proof that something speaks against. */
const GREEN =
  /is proved|valid link|are valid|share this link|proof holds|good today|doesn’t check the domain again|any time since|not about today/i;

const all = (html: string, pattern: RegExp): string[] =>
  [...html.matchAll(pattern)].map(([, part = ""]) => wordsIn(part));
const first = (html: string, pattern: RegExp): string => all(html, pattern)[0] ?? "";

// C29.10
test.each(ROWS)(
  "$state: one state, in the same words and color in every place",
  async ({ bring, word, tone = "needs", worth, presses = [], isMailed = false }) => {
    const one = Object.assign(await life(), { isMailed });
    await bring(one);
    const screens = await one.screens();
    const { page, proof } = screens;
    const titled = (meta: typeof titleOfDomain | typeof titleOfProof, data: object) =>
      JSON.stringify(meta({ data } as never)?.[0]);
    const [domainPage, list] = [screens["domain page"], screens["domain list"]];
    const proofPage = screens["proof page"] ?? "";
    const card = first(domainPage, /<section class="card"[^>]*>([\s\S]*?)<\/section>/g);
    const places: Record<string, string> = {
      chip: first(domainPage, /<span role="status">([\s\S]*?)<\/span><\/span>/g),
      title: titled(titleOfDomain, page),
      card: first(domainPage, /<section class="card"[^>]*><h2[^>]*>([\s\S]*?)<\/h2>/g),
      list: first(list, /(<span class="state [\s\S]*?<\/svg>[^<]*)<\/span>/g),
      "proof page": first(proofPage, /(<span class="state [\s\S]*?<\/svg>[^<]*)<\/span>/g),
      ...(tone !== "proved" && { "title of the proof": titled(titleOfProof, { screen: proof }) }),
      ...(tone !== "proved" && {
        notice: first(screens.notices, /<li>([\s\S]*?)<\/li>/g),
      }),
      ...(isMailed && {
        mail: (one.service.mails.at(-1)?.subject ?? "").replace("on 24 January 2026", "in 12 days"),
      }),
    };
    const rest: Record<string, string> = {
      "rest of the card": card,
      "rest of the domain page": wordsIn(domainPage),
      "rest of the list": wordsIn(list),
      map: first(domainPage, /<section class="path-section">([\s\S]*?)<\/section>/g),
      "rest of the proof page": wordsIn(proofPage),
      "hand-off page": wordsIn(screens["hand-off page"]),
      "rest of the mail": screens.mail ?? "",
    };

    for (const [place, words] of Object.entries(places))
      expect(words.toLowerCase(), place).toContain(word);
    expect([places.title, places["title of the proof"]].join()).not.toMatch(/"title":"\p{Ll}/u);
    for (const [place, words] of Object.entries({ ...places, ...rest }))
      for (const other of WORDS.filter((one) => one !== word))
        expect(words.toLowerCase(), place).not.toContain(other);
    for (const html of [domainPage, list, proofPage])
      expect(/<span class="state (\w+)">/.exec(html)?.[1]).toBe(tone);
    expect(domainPage).toContain(`<h2 class="row ${tone}">`);
    expect(page.label.tone).toBe(tone);
    expect(rest.map).toMatch(/^What the check on 3 January 2026 saw/);

    // Only the last notice tells what is so now; all before are told as over, without the record's fate.
    const notices = listNotices(one.ctx, one.account.id, {}).notices;
    const named = withNames(one.ctx, one.account.id, notices);
    const tones = named.filter(({ kind }) => kind !== "proved").map((notice) => notice.tone);
    const isNow = tone !== "proved";
    expect(tones).toEqual(tones.map((_, place) => (isNow && place === 0 ? tone : "ended")));
    expect(named.map(({ fate }) => fate !== null)).toEqual(named.map((_, place) => place === 0));

    const sentence = first(proofPage, /<p class="worth[^"]*">([\s\S]*?)<\/p>/g);
    expect(sentence).toMatch(worth);
    expect(wordsIn(proofPage).indexOf(sentence)).toBeLessThan(
      wordsIn(proofPage).indexOf("proved control"),
    );
    const buttons = /<(?:button|a class="button")[^>]*>([\s\S]*?)<\/(?:button|a)>/g;
    const cardHtml = /<section class="card"[\s\S]*?<\/section>/.exec(domainPage)?.[0] ?? "";
    if (/can delete the TXT record now/.test(card))
      expect(card).not.toMatch(/add the record|stop watching/i);
    if (presses.length > 0) expect(all(cardHtml, buttons).slice(0, 2)).toEqual(presses);
    if (tone === "proved") return expect(card).toMatch(/Share this link/);
    const isGood = tone === "waiting" ? /good today/gi : /^$/;
    for (const [place, words] of Object.entries({ ...places, ...rest }))
      expect(GREEN.exec(words.replace(isGood, ""))?.[0], `${place}: ${words}`).toBeUndefined();
    expect(card).toMatch(/Proved *3 January 2026/);
    expect(card).toContain("Revoke link");
    if (word.startsWith("missing"))
      expect(card).toMatch(
        /it stays missing until \d+ January 2026, it counts as lost\. *Type *TXT/,
      );
    const [since, claim] = ["missing since", "proved control"].map((said) =>
      wordsIn(proofPage).indexOf(said),
    );
    expect(since).toBeLessThan(Number(claim));
  },
);

test("a registration that ends and a record that is missing are told apart", async () => {
  const one = await life();
  await one.watched(9);
  await registrationEnds(one);
  const told = () =>
    withNames(one.ctx, one.account.id, listNotices(one.ctx, one.account.id, {}).notices)
      .filter(({ kind }) => kind !== "proved")
      .map(({ kind, tone }) => [kind, tone]);
  await one.after(3, absentAt);
  const ends = ["registration_expiring", "waiting"];
  expect(told()).toEqual([["missing", "needs"], ends]);
  await one.after(1, foundAt);
  expect(told()).toEqual([["missing", "ended"], ends]);
});
