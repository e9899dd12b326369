import { Resolver } from "node:dns/promises";
import type { ReaderSettings } from "@deed/dns/resolve/reader.ts";
import { afterAll, beforeAll, expect, it } from "vitest";
import { readerSettings } from "../support/reader-settings.ts";
import { claimReads, LABEL, TOKEN } from "./case.ts";
import { describeLab, type Lab, startLab } from "./lab.ts";
import { COMPLAINTS, type Complaint } from "./threads/complaints.ts";
import { UNBOUNDS } from "./unbound.ts";

const MOST_UNNAMED = 1;
const PAGE = "../evidence/complaints.md";

type Row = { complaint: Complaint; code: string; words: string; others: Others };
type Others = { betterAuth: string; zitadel: string };
const rows: Row[] = [];

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

/** The answer of the claim's first read, or of a read so many minutes later. */
async function tell(settings: ReaderSettings, { domain, history, later }: Complaint) {
  const reads = claimReads(settings, domain, history);
  try {
    const first = await reads.read();
    return later > 0 ? await reads.read(later * 60_000) : first;
  } finally {
    reads.close();
  }
}

const isNamed = ({ complaint: { codes, says }, ...row }: Row) =>
  codes.includes(row.code) && says.every((phrase) => phrase.test(row.words));

/** The page about the corpus, from the reads just made. */
function page(): string {
  const plain = rows.filter(({ complaint }) => complaint.line("notes") === "plain");
  const lines = rows.map(({ complaint, code, words, others }, at) => {
    const { thread, source, story, line } = complaint;
    const told = words
      .replaceAll(TOKEN, "service_v1_…")
      .replace(/\(key tag \d+\)/g, "(key tag …)")
      .replace(/for \d+ minutes\./g, "for … minutes."); // jittered
    const said = [`\`${code}\`: ${told.replaceAll("|", "\\|")}`, others.betterAuth, others.zitadel];
    const link = `[${thread}](${source})`;
    return `| ${[at + 1, link, story, line("was"), ...said].join(" | ")} |`;
  });
  return `# Complaints of others

Thirty threads in which users of other verifiers could not get a TXT record accepted. Each is served as a zone by knotd
and read through unbound by \`tests/lab/complaints.test.ts\`, which compares this page with what it read and writes it
with \`-u\`. A thread whose fault was the verifier's own is no row. "What it was" is what the thread comes to.

Deed is packages/dns, with what only an account knows: earlier values, and when it was first read.

- Deed names ${rows.filter(isNamed).length} of ${rows.length}: the code, the cause and the one thing to change.
- better-auth 1.7.5 (\`@better-auth/sso\`) names 0. It asks its resolver once, and has one error for everything: 502,
  "Unable to verify domain ownership. Try again later".
- Zitadel names ${plain.length}: ${plain.map(({ complaint }) => complaint.thread).join(", ")}. It asks its resolver
  once, and tells apart: not found, no match, a time-out, and an internal error.

What the other two say is their lookup and comparison, as in their sources, done through the lab's unbound. The real
\`/sso/verify-domain\` of better-auth, called once for each, agreed in 28 of 30; in the two rows with unequal nameservers
it answered 502. The threads were read as far as a search shows them.

| | Thread | What the reporter saw | What it was | What Deed says | better-auth | Zitadel |
|---|---|---|---|---|---|---|
${lines.join("\n")}
`;
}

describeLab("complaints of others", () => {
  let lab: Lab | undefined;
  beforeAll(async () => {
    lab = await startLab(COMPLAINTS.flatMap(({ zones }) => zones));
    const asked = COMPLAINTS.filter(({ added }) => added);
    await Promise.all(asked.map((one) => lab?.prime(`${LABEL}.${one.domain}`)));
    for (const one of asked) await lab.setZone(one.domain, one.added ?? []);
    const settings = readerSettings(lab.env);
    const resolver = new Resolver({ timeout: 10_000, tries: 1 });
    resolver.setServers([`${UNBOUNDS[0].address}:${lab.ports.plain}`]);
    for (const complaint of COMPLAINTS) {
      const told = await tell(settings, complaint);
      const others = await lookUp(resolver, `${LABEL}.${complaint.domain}`);
      const isChance = complaint.line("notes") === "chance";
      rows.push({ complaint, ...told, others: isChance ? BY_CHANCE : others });
    }
  });
  afterAll(() => lab?.stop());

  it("are named exactly", () => {
    const unnamed = rows.filter((row) => !isNamed(row));
    const told = unnamed.map(({ complaint, code, words }) => [complaint.thread, code, words]);
    expect(rows).toHaveLength(30);
    expect(unnamed.length, JSON.stringify(told)).toBeLessThanOrEqual(MOST_UNNAMED);
  });

  it("are on the page as they were read", async () => {
    await expect(page()).toMatchFileSnapshot(PAGE);
  });
});
