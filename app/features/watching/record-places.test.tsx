import { absentAt, foundAt } from "@deed/dns/testing/readings.ts";
import { expect, test } from "vitest";
import { iso } from "#app/core/time.ts";
import { NOTICE_KINDS } from "#db/schema.ts";
import { ensureByName } from "../by-name/by-name.server.ts";
import { cancelClaim, openClaim, readClaim } from "../claims/claims.server.ts";
import { addDomain, archiveDomain } from "../domains/domains.server.ts";
import { noticeWords } from "../notices/notices.server.ts";
import { NoticeList } from "../notices/view/notice-list.tsx";
import { htmlOf, type Life, life, registeredAgain, wordsIn } from "./testing/life.tsx";
import { goneAt, live, movedAt } from "./testing.ts";
import { troubleWords } from "./trouble.ts";
import { isTrouble } from "./watch-states.ts";
import { unwatchClaim } from "./watches.server.ts";

const OTHERS = " Keep the other values at its name: they are still needed.";
const FREE = "You can delete the TXT record now.";
const KEEP = "Keep the TXT record: Deed checks it every day, until watching is stopped.";
const THERE =
  "The TXT record should be there: Deed checks it every day, until watching is stopped.";
const VOID = "Do not add the TXT record now; delete it if it is there.";
const LATER = "You can delete the TXT record once it is found.";
const KEPT_LATER =
  "Keep the TXT record once it is found: Deed then checks it every day, until watching is stopped.";
const NOT_COUNTED = "The TXT record no longer counts: the domain was registered after the proof.";
const GONE = "The TXT record is gone, and need not come back.";

type Row = {
  state: string;
  bring: (life: Life) => Promise<unknown>;
  fate: string;
  holds?: boolean;
  isMailed?: boolean;
};

const openAnother = async ({ ctx, account }: Life, reference: string) => {
  const { domain } = await addDomain(ctx, account.id, "acme.com", { reference });
  await openClaim(ctx, account.id, domain.id);
};

const ROWS: Row[] = [
  { state: "open", bring: async () => {}, fate: LATER },
  {
    state: "open, to be watched",
    bring: ({ ctx, account }) => ensureByName(ctx, account.id, { name: "acme.com", watch: true }),
    fate: KEPT_LATER,
  },
  {
    state: "canceled",
    bring: ({ ctx, account, claim }) => cancelClaim(ctx, account.id, claim.id),
    fate: VOID,
  },
  { state: "expired", bring: ({ service }) => live(service, 8, absentAt), fate: VOID },
  { state: "proved", bring: ({ prove }) => prove(), fate: FREE, holds: true, isMailed: true },
  {
    state: "proved, another value needed",
    async bring(life) {
      await openAnother(life, "other");
      await life.prove();
    },
    fate: FREE + OTHERS,
    holds: true,
    isMailed: true,
  },
  {
    state: "deleted after its proof",
    async bring({ prove, after }) {
      await prove();
      await after(3, absentAt);
    },
    fate: GONE,
    holds: true,
  },
  { state: "watched", bring: ({ watched }) => watched(), fate: KEEP, holds: true },
  {
    state: "watched from its proof on",
    async bring({ ctx, account, prove }) {
      await ensureByName(ctx, account.id, { name: "acme.com", watch: true });
      await prove();
    },
    fate: KEEP,
    holds: true,
    isMailed: true,
  },
  {
    state: "missing",
    bring: ({ watched }) => watched(3, absentAt),
    fate: THERE,
    holds: true,
    isMailed: true,
  },
  { state: "lapsed", bring: ({ watched }) => watched(11, absentAt), fate: THERE, isMailed: true },
  { state: "moved", bring: ({ watched }) => watched(3, movedAt), fate: THERE, isMailed: true },
  { state: "gone", bring: ({ watched }) => watched(3, goneAt), fate: THERE, isMailed: true },
  {
    state: "seen again",
    async bring({ watched, after }) {
      await watched(11, absentAt);
      await after(2, foundAt);
    },
    fate: KEEP,
    holds: true,
  },
  {
    state: "registered again",
    async bring(life) {
      await life.watched(9);
      await registeredAgain(life);
    },
    fate: NOT_COUNTED,
    isMailed: true,
  },
  {
    state: "lapsed, and no longer watched",
    async bring({ ctx, account, claim, watched }) {
      await watched(11, absentAt);
      await unwatchClaim(ctx, account.id, claim.id);
    },
    fate: FREE,
  },
  {
    state: "archived",
    async bring({ ctx, account, claim, watched }) {
      await watched();
      await archiveDomain(ctx, account.id, claim.domainId);
    },
    fate: FREE,
  },
  {
    state: "again open after a proof",
    async bring({ ctx, account, claim, watched }) {
      await watched();
      await openClaim(ctx, account.id, claim.domainId);
    },
    fate: KEEP + OTHERS,
    holds: true,
  },
];

/** Words that would say what becomes of a record, whatever they say. */
const OF_RECORD =
  /(can|may) delete|delete it|keep (it|the)\b|add it again|should be there|no longer needed|still needed|once it is found/i;
/** Titles, and what another click would do. */
const TITLES =
  /The record is no longer needed|To have Deed look for it every day, (keep it|add it again)|Keep the other values? at this name/g;
const SPEAKS = ["domain page", "hand-off page", "mail", "link of mails"];
const READERS = /Deed looks for the record[^.]+|The record is no longer needed, [^.]+/;
const table: string[] = [];

// C27.11, C29.9
test.each(ROWS)("$state", async ({ state, bring, fate, holds = false, isMailed = false }) => {
  const one = Object.assign(await life(), { isMailed });
  await bring(one);
  expect(await one.holds()).toBe(holds);
  const places = await one.places();
  const isProved = (await readClaim(one.ctx, one.account.id, one.claim.id)).state === "proved";
  table.push(`${state}: ${holds ? "holds" : "does not hold"}`);
  for (const [place, words] of Object.entries(places)) {
    const rest = words.replaceAll(fate, "").replace(TITLES, "");
    const says = words.includes(fate);
    if (SPEAKS.includes(place)) expect(says, `${place}: ${words}`).toBe(true);
    const other = place === "proof page" ? /You can delete/ : OF_RECORD;
    expect(other.exec(rest)?.[0], `${place}: ${rest}`).toBeUndefined();
    const isLost =
      /do not rely|lost its record|moved to other|no nameservers at|registered again/i.test(words);
    // A notice is of a moment.
    const isRelied = place !== "notices" && /is proved/.test(words);
    table.push(
      `  ${place}: ${says ? fate : (READERS.exec(words)?.[0] ?? "-")}${isLost ? " (lost)" : ""}${isRelied ? " (relied on)" : ""}`,
    );
    const speaks = ["domain page", "domain list", "proof page", "mail"].includes(place);
    const isPutAway = state === "archived";
    if (speaks && isProved && !isPutAway && !state.startsWith("again"))
      expect(isLost, `${place}: ${words}`).toBe(!holds);
    if (isRelied) expect(holds || isPutAway, place).toBe(true);
  }
});

test("the table", async () => {
  await expect(`${table.join("\n")}\n`).toMatchFileSnapshot("record-places.test.txt");
});

test.each(NOTICE_KINDS)("a notice %s is sentences, with what becomes of the record", (kind) => {
  const ids = { id: "ntc_1", domainId: "dom_1", claimId: "clm_1" };
  const named = { domain: "acme.com", unicodeDomain: "acme.com", reference: null };
  const at = iso(0);
  const notice = { ...ids, ...named, kind, createdAt: at, readAt: at };
  for (const trouble of [isTrouble(kind) ? troubleWords(kind) : null, null]) {
    const told = { ...notice, ...noticeWords(kind, trouble), fate: "Keep it." };
    expect(wordsIn(htmlOf(<NoticeList notices={[told]} now={at} />))).toMatch(/[a-z]\. ?Keep it\./);
  }
});
