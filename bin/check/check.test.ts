import { Stage } from "@deed/playground/panel/stage.ts";
import { type Playground, startPlayground } from "@deed/playground/playground.ts";
import { txt } from "@deed/playground/records.ts";
import { TLDS } from "@deed/playground/samples.ts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { checkSettings, exitCodeOf, questionOf, tokenReader } from "./read.ts";
import { reportOf, textOf } from "./report.ts";

const LABEL = "_service-challenge";
const TOKEN = `service_v1_${"5e".repeat(20)}`;
const CANCELED = `service_v1_${"0d".repeat(20)}`;
const { signal } = new AbortController();

let playground: Playground;
let stage: Stage;
beforeAll(async () => {
  playground = await startPlayground();
  stage = new Stage(playground, LABEL);
});
afterAll(() => playground.stop());

async function check(name: string, token?: string, more: Record<string, string> = {}) {
  const settings = checkSettings({ ...playground.env, ...more });
  const question = questionOf(name, token, settings.label);
  const reading = await tokenReader(settings.reader, question)(signal);
  const report = reportOf(reading, Date.now());
  return { exitCode: exitCodeOf(reading), report, text: textOf(report).join("\n") };
}

async function goWrong(name: string) {
  const situation = stage.find(name);
  if (!situation) throw new Error("no such situation");
  await stage.setUp(situation);
  const value = situation.asks === "the value of the claim you canceled" ? CANCELED : TOKEN;
  await stage.goWrong(situation, situation.asks ? value : "");
  return situation;
}

describe("with a token", () => {
  it("finds the record, and shows what every server said and over what", async () => {
    playground.addRecord("acme.com", txt(`${LABEL}.acme.com`, TOKEN));
    const { exitCode, report, text } = await check("ACME.com", TOKEN);
    expect(exitCode).toBe(0);
    expect(report).toMatchObject({
      name: "acme.com",
      outcome: "found",
      zone: { name: "acme.com", parent: "com", provider: "godaddy", publishingMinutes: 10 },
      diagnosis: null,
      wait: null,
      failure: null,
    });
    expect(report.nameservers).toHaveLength(2);
    for (const server of report.nameservers)
      expect(server).toMatchObject({ result: "answered", hasRecord: true, values: [TOKEN] });
    expect(report.resolvers.map(({ name, hasRecord }) => [name, hasRecord])).toEqual([
      ["cloudflare", true],
      ["google", true],
      ["quad9", true],
    ]);
    expect(text).toMatch(/ns61\.domaincontrol\.com {2}127\.0\.0\.21 {2}(UDP|TCP) .*has the record/);
    expect(text).toContain("Found: this proves the domain.");
    expect(report.nameservers.some(({ transport }) => transport === "tcp")).toBe(true);
  });

  /** Without the claim's history, an ended claim's token looks like somebody else's. */
  const SHOWN: Record<string, string> = { expired_token: "foreign_token" };

  // The other situations differ only in the diagnosis; situations.test.ts reads each.
  it.for(["record_on_www", "negative_cache", "expired_token"])(
    "%s: names it, its cause and its fix",
    async (name) => {
      const situation = await goWrong(name);
      const { exitCode, report, text } = await check(situation.zone, TOKEN);
      const code = SHOWN[situation.code] ?? situation.code;
      expect(exitCode).toBe(1);
      expect(report).toMatchObject({ outcome: "absent", diagnosis: { code } });
      expect(text).toContain(`${code === "negative_cache" ? "Not yet" : "Not found"}: ${code}`);
      expect(text).toContain(`Cause        ${report.diagnosis?.cause}`);
      expect(text).toContain(`Fix          ${report.diagnosis?.fix}`);
      stage.putRight(situation, TOKEN);
      playground.flushWitnesses();
      expect((await check(situation.zone, TOKEN)).exitCode).toBe(0);
    },
  );

  it("waits where nameservers are still catching up", async () => {
    const situation = await goWrong("nameserver_sync");
    const { exitCode, report, text } = await check(situation.zone, TOKEN);
    expect(exitCode).toBe(1);
    expect(report).toMatchObject({ diagnosis: null, wait: { reason: "nameserver_sync" } });
    expect(text).toContain("Not yet: nameserver_sync");
    expect(text).toContain("Leave the record as it is for 10 minutes.");
  });

  it("says that nothing is delegated, and asks no registry", async () => {
    const asked = playground.registry.askedNames.length;
    const { exitCode, report, text } = await check("nobody-has-this.com", TOKEN);
    expect(exitCode).toBe(1);
    expect(report.diagnosis?.code).toBe("lame_delegation");
    expect(text).toContain("none: com does not delegate the name");
    expect(text).toContain("Not found: lame_delegation");
    expect(text).toContain("Fix          At the registrar of nobody-has-this.com, renew");
    expect(playground.registry.askedNames).toHaveLength(asked);
  });
});

describe("DNS that cannot be read from here", () => {
  it.concurrent("is exit code 3 where no root server answers", async () => {
    const { exitCode, report, text } = await check("acme.com", TOKEN, { DNS_PORT: "9" });
    expect(exitCode).toBe(3);
    expect(report).toMatchObject({ outcome: "unresolvable", zone: null, stoppedAt: "." });
    expect(text).toContain("No server of the root answers this machine.");
    expect(text).toContain("deed doctor");
  });

  it.concurrent("is exit code 3 where the registry is silent, without a token too", async () => {
    for (const { host } of TLDS) playground.setServerFault(host, "silent", "hooli.com");
    const { exitCode, report, text } = await check("hooli.com");
    playground.clearFaults("hooli.com");
    expect(exitCode).toBe(3);
    expect(report.outcome).toBe("unresolvable");
    expect(text).toContain("not reached: com does not answer");
  });

  it.concurrent("is exit code 3 where too few resolvers answer", async () => {
    playground.addRecord("initech.com", txt(`${LABEL}.initech.com`, TOKEN));
    const { exitCode, text } = await check("initech.com", TOKEN, {
      DNS_RESOLVERS: "gone=127.0.0.99:9,lost=127.0.0.98:9",
    });
    expect(exitCode).toBe(3);
    expect(text).toContain("None came from gone and lost");
  });
});

describe("without a token", () => {
  it("shows the zone and the TXT records at the challenge name", async () => {
    playground.addRecord("globex.com", txt(`${LABEL}.globex.com`, "something else"));
    const { exitCode, report, text } = await check("globex.com");
    expect(exitCode).toBe(0);
    expect(report).toMatchObject({
      outcome: null,
      zone: { provider: "cloudflare", publishingMinutes: 2, negativeCacheTtlSeconds: 60 },
      diagnosis: null,
      resolvers: [],
    });
    expect(text).toContain("has “something else”");
    expect(text).toContain('resolvers cache "not found" for 1 minute');
  });

  it("is exit code 1 where nothing is delegated", async () => {
    const { exitCode, text } = await check("nobody-has-this.com");
    expect(exitCode).toBe(1);
    expect(text).toContain("Broken: lame_delegation");
  });
});

it("spells out what would change the terminal or the reading order", async () => {
  const hostile = "\x1b]0;title\x07\x1b[31mred \u202etxt\u2028\r\nok";
  playground.addRecord("lantern.example", txt(`${LABEL}.lantern.example`, hostile));
  const { report, text } = await check("lantern.example", TOKEN);
  for (const shown of [text.replaceAll("\n", ""), JSON.stringify(report)])
    expect(shown).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}]/u);
  expect(text).toContain("\\u{1b}]0;title\\u{7}\\u{1b}[31mred \\u{202e}txt");
});

it("names a bad variable, and only those of DNS", () => {
  expect(() => checkSettings({ DNS_RESOLVERS: "nonsense" })).toThrow(
    expect.objectContaining({
      message: expect.stringMatching(/^DNS_RESOLVERS must be/),
      exitCode: 78,
    }),
  );
  expect(checkSettings({ PORT: "none", CHALLENGE_LABEL: "_acme" }).label).toBe("_acme");
});
