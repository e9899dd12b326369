import { Resolver } from "node:dns/promises";
import type { Diagnosis } from "@deed/dns/verdict/diagnosis.ts";
import { afterAll, beforeAll, expect, it } from "vitest";
import { readerSettings } from "../support/reader-settings.ts";
import { isFull } from "../support/size.ts";
import { claimReads, LABEL, TOKEN } from "./case.ts";
import { FARM_PROGRAMS, startFarm } from "./farm.ts";
import { describeLab } from "./lab.ts";
import { COMPLAINTS, type Complaint } from "./threads/complaints.ts";
import { INVENTED } from "./threads/invented.ts";
import { RECORD_THREADS } from "./threads/records.ts";
import { SERVER_THREADS } from "./threads/servers.ts";
import type { Thread } from "./threads/thread.ts";
import { UNBOUNDS } from "./unbound.ts";

const OF_OTHERS = [...RECORD_THREADS, ...SERVER_THREADS];
const THREADS = [...OF_OTHERS, ...INVENTED];
const READS_AT_ONCE = 6;
/** Threads with reads of dead servers. */
const SLOW = ["label-delegated", "old-glue", "server-at-home"];
/** Threads with wrong answers: tests/evidence/diagnoses-tried.md counts them. */
const NOT_RIGHT: Record<string, string> = {
  "each-other": "wrong",
  "parked-host": "no help",
  "twice-delegated": "no help",
};
const rightOf = ({ id }: Thread) => NOT_RIGHT[id] ?? "right";

/** How many complaints may be named inexactly. */
const MOST_UNNAMED = 1;
const PAGE = "../evidence/complaints.md";

type Told = { code: string; diagnosis: Diagnosis | null; words: string };

function has(observed: object | undefined, part: object): boolean {
  try {
    expect(observed ?? {}).toMatchObject(part);
    return true;
  } catch {
    return false;
  }
}

/** "harm": following it does harm; "wrong": it sends to another party or misleads; "no help": something is missing. */
function judge({ codes, awaits, tells, says, never, harm, warns }: Thread, told: Told) {
  const isSaid = (phrase: RegExp) => phrase.test(told.words);
  if (harm.some(isSaid) || !warns.every(isSaid)) return "harm";
  const { diagnosis } = told;
  const isWrong = diagnosis !== null && awaits.length > 0 && !awaits.includes(diagnosis.awaits);
  if (isWrong || never.some(isSaid)) return "wrong";
  const isNamed = told.code === "found" || says.every(isSaid);
  const isRight = codes.includes(told.code) && isNamed && has(diagnosis?.observed, tells);
  return isRight ? "right" : "no help";
}

type Others = { betterAuth: string; zitadel: string };
type Row = { complaint: Complaint; told: Told; others: Others };

/** The results of better-auth 1.7.5 and Zitadel after their one lookup of TXT, by their sources. */
async function lookUp(resolver: Resolver, name: string): Promise<Others> {
  const found = await resolver.resolveTxt(name).catch((error: { code: string }) => error.code);
  const values = Array.isArray(found) ? found.map((strings) => strings.join("")) : [];
  const isMissing = found === "ENOTFOUND" || found === "ENODATA";
  const failure = isMissing ? "not found" : found === "ETIMEOUT" ? "timeout" : "internal error";
  const unmatched = values.length > 0 ? "no match" : failure;
  return {
    betterAuth: values.some((value) => value.trim() === TOKEN) ? "verified" : "502",
    zitadel: values.includes(TOKEN) ? "verified" : unmatched,
  };
}
const BY_CHANCE: Others = { betterAuth: "502 or verified", zitadel: "not found or verified" };

const isNamed = ({ complaint: { codes, says }, told: { code, words } }: Row) =>
  codes.includes(code) && says.every((phrase) => phrase.test(words));

/** The page about the corpus, from the reads just made. */
function page(rows: readonly Row[]): string {
  const plain = rows.filter(({ complaint }) => complaint.line("notes") === "plain");
  const lines = rows.map(({ complaint, told, others }, at) => {
    const { thread, source, story, line } = complaint;
    const words = told.words
      .replaceAll(TOKEN, "service_v1_…")
      .replace(/\(key tag \d+\)/g, "(key tag …)")
      .replace(/for \d+ minutes\./g, "for … minutes."); // jittered
    const said = [
      `\`${told.code}\`: ${words.replaceAll("|", "\\|")}`,
      others.betterAuth,
      others.zitadel,
    ];
    const link = `[${thread}](${source})`;
    return `| ${[at + 1, link, story, line("was"), ...said].join(" | ")} |`;
  });
  return `# Complaints of others

In thirty public threads, users could not get a TXT record accepted by another verifier. knotd serves each mistake as a
zone, and \`tests/lab/threads.test.ts\` reads it through unbound and compares the results with this page (\`-u\` writes it).
We left out threads in which the verifier itself was at fault. "What it was" is the cause that the thread found.

Deed is packages/dns here, with the facts that only an account has: earlier values, and the time of the first read.

- Deed names ${rows.filter(isNamed).length} of ${rows.length}: the code, the cause and the one thing to change.
- better-auth 1.7.5 (\`@better-auth/sso\`) names 0. It asks its resolver once, and has one error for all failures: 502,
  "Unable to verify domain ownership. Try again later".
- Zitadel names ${plain.length}: ${plain.map(({ complaint }) => complaint.thread).join(", ")}. It asks its resolver
  once, and has four errors: not found, no match, timeout and internal error.

For the other two, the test repeats the lookup and comparison in their source code, through the lab's unbound. We also
called the real \`/sso/verify-domain\` of better-auth once for each zone: 28 of 30 results were the same. In the two rows
whose nameservers differ, it answered 502. We read the threads only as far as a search shows them.

| | Thread | What the reporter saw | What it was | What Deed says | better-auth | Zitadel |
|---|---|---|---|---|---|---|
${lines.join("\n")}
`;
}

describeLab(
  "threads of others, and mistakes that depend on a program, judged",
  () => {
    let farm: Awaited<ReturnType<typeof startFarm>>;
    beforeAll(async () => {
      farm = await startFarm(
        THREADS.flatMap(({ farmed }) => farmed),
        [...THREADS, ...COMPLAINTS].flatMap(({ zones }) => zones),
      );
      for (const { domain, added } of [...THREADS, ...COMPLAINTS]) {
        if (!added) continue;
        await farm.lab.prime(`${LABEL}.${domain}`);
        await farm.lab.setZone(domain, added);
      }
    });
    afterAll(() => farm?.stop());

    /** The answer of the first read, or of a later one. */
    async function tell(thread: Thread & Partial<Complaint>): Promise<Told> {
      const { domain, later, history } = thread;
      const reads = claimReads(readerSettings(farm.lab.env), domain, history);
      try {
        const told = await reads.read();
        return later > 0 ? await reads.read(later * 60_000) : told;
      } finally {
        reads.close();
      }
    }

    it("are judged as on the page", async () => {
      expect(new Set(OF_OTHERS.map(({ source }) => source)).size).toBe(60);
      const judged: Record<string, string> = {};
      const look = async (one: Thread) => {
        const told = await tell(one);
        const judgement = judge(one, told);
        judged[one.id] = judgement;
        const { code, diagnosis, words } = told;
        const what = `${code} ${diagnosis?.awaits ?? null}: ${words}`;
        console.log(`${judgement}: ${one.id}: ${what}`);
      };
      const all = THREADS.filter(({ id }) => isFull || !SLOW.includes(id));
      const waiting = [...all];
      const work = async () => {
        for (let one = waiting.shift(); one; one = waiting.shift()) await look(one);
      };
      await Promise.all(Array.from({ length: READS_AT_ONCE }, work));
      // Among the others an answer may have been late; alone, a thread must be as built.
      for (const one of all) if (judged[one.id] !== rightOf(one)) await look(one);
      expect(judged).toEqual(Object.fromEntries(all.map((one) => [one.id, rightOf(one)])));
    });

    it("that are complaints are named exactly, and on the page as they were read", async () => {
      const resolver = new Resolver({ timeout: 10_000, tries: 1 });
      resolver.setServers([`${UNBOUNDS[0].address}:${farm.lab.ports.plain}`]);
      const rows: Row[] = [];
      for (const complaint of COMPLAINTS) {
        const told = await tell(complaint);
        const others = await lookUp(resolver, `${LABEL}.${complaint.domain}`);
        const isChance = complaint.line("notes") === "chance";
        rows.push({ complaint, told, others: isChance ? BY_CHANCE : others });
      }
      expect(rows).toHaveLength(30);
      const unnamed = rows.filter((row) => !isNamed(row));
      const told = unnamed.map(({ complaint, told }) => [complaint.thread, told.code, told.words]);
      expect(unnamed.length, JSON.stringify(told)).toBeLessThanOrEqual(MOST_UNNAMED);
      await expect(page(rows)).toMatchFileSnapshot(PAGE);
    });
  },
  FARM_PROGRAMS,
);
