import { spawn, spawnSync } from "node:child_process";
import { text } from "node:stream/consumers";
import { createReader } from "@deed/dns/resolve/create-reader.ts";
import { decide } from "@deed/dns/testing/verdicts.ts";
import { describeDecision } from "@deed/dns/testing/world.ts";
import { isPortShut } from "@deed/dns/verdict/shut-port.ts";
import { afterAll, beforeAll, expect, it } from "vitest";
import { passOver } from "../support/lacks.ts";
import { readerSettings } from "../support/reader-settings.ts";
import { LABEL, NO_HISTORY, TOKEN } from "./case.ts";
import { describeLab } from "./lab.ts";
import { FORGED_ATTACKS } from "./rule/forgers.ts";
import { openPaths } from "./rule/resolvers.ts";
import type { Resolvers, Row } from "./rule/row.ts";
import { NOW, SIGNED_ATTACKS, SIGNED_HONEST } from "./rule/signed.ts";
import { SILENT_ATTACKS, SILENT_CONTROLS } from "./rule/silences.ts";
import { nameOfRow, startTable } from "./rule/table.ts";

const isAllowed = () =>
  spawnSync("unshare", ["-n", "true"]).status === 0 || !passOver("the right to `unshare -n`");

// C8.12, C8.13
describeLab("the product in a namespace whose port 53 is shut", () => {
  // biome-ignore lint/suspicious/noExplicitAny: what in-namespace.ts prints
  let seen: any;
  beforeAll(async () => {
    if (!isAllowed()) return;
    const script = ["--import", "tsx", `${import.meta.dirname}/shut-port/in-namespace.ts`];
    const child = spawn("unshare", ["-n", process.execPath, ...script], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    const printed = await text(child.stdout);
    seen = JSON.parse(printed.trim().split("\n").at(-1) ?? "");
  }, 180_000);

  it("proves a signed domain, and the receipt verifies by its signatures alone", ({ skip }) => {
    if (!seen) return skip();
    const { signed, statement, verified, exchanges } = seen;
    expect(signed.state).toBe("proved");
    expect(statement).toMatchObject({
      rule: "deed-dnssec/1",
      nameservers: [],
      dnssec: "secure",
      assurance: "dnssec",
    });
    expect([verified.stderr, verified.status]).toEqual(["", 0]);
    const answered = exchanges.filter((one: { result: string }) => one.result === "answered");
    expect(new Set(answered.map((one: { transport: string }) => one.transport))).toEqual(
      new Set(["https"]),
    );
  });

  it("finds a record that one resolver has just denied, through the next one", ({ skip }) => {
    if (!seen) return skip();
    const { state, before, attempts } = seen.late;
    expect(before.diagnosis).toMatchObject({
      code: "record_absent",
      observed: { answer: { type: "nxdomain" } },
    });
    expect(state).toBe("proved");
    expect(attempts).toHaveLength(2);
  });

  it("refuses an unsigned domain that every resolver has, and the page says why", ({ skip }) => {
    if (!seen) return skip();
    const { state, after, page } = seen.plain;
    expect(state).toBe("pending");
    expect(after).toMatchObject({ lastOutcome: "unresolvable", waitEstimate: { reason: "retry" } });
    expect(page).toContain(
      "plain.com has no DNSSEC, so it cannot be proved until the operator opens that port.",
    );
  });

  it("tells the operator in health, the doctor and the log", ({ skip }) => {
    if (!seen) return skip();
    expect(seen.health).toMatchObject({ status: "ok", dns: "port_53_shut" });
    expect(seen.doctor.status).toBe(1);
    for (const way of ["UDP", "TCP"])
      expect(seen.doctor.stdout).toMatch(
        new RegExp(`Allow ${way} to port 53 .* only domains with DNSSEC are proved`),
      );
    expect(seen.log).toContain('"warning":"port_53_shut"');
  });
});

/** Who hands over signatures where a row has resolvers in plain text: nobody asks those. */
const OVER_HTTPS: Record<Resolvers, Resolvers> = {
  unbound: "https",
  none: "https",
  gullible: "https",
  forged: "impersonatedHttps",
  tls: "tls",
  https: "https",
  impersonatedTls: "impersonatedTls",
  impersonatedHttps: "impersonatedHttps",
  impersonated: "impersonatedHttps",
};
const ALL: Row[] = [
  ...SILENT_ATTACKS,
  ...FORGED_ATTACKS,
  ...SIGNED_ATTACKS,
  ...SIGNED_HONEST,
  ...SILENT_CONTROLS,
];
/** The zone's own signer has signed the record, for now: whoever is silent, that is a proof. */
const isSigned = ({ signed }: Row) => signed?.has === NOW && !signed.ds;
const [PROVED, REFUSED] = [ALL.filter(isSigned), ALL.filter((row) => !isSigned(row))];
const ROWS = [...REFUSED, ...PROVED];
const AT_ONCE = 32;

describeLab("the rule where port 53 is shut, on the zones of the ordinary rule", () => {
  let table: Awaited<ReturnType<typeof startTable>>;
  let paths: Awaited<ReturnType<typeof openPaths>>;
  const words = new Map<Row, string>();

  async function read(row: Row, resolvers: Resolvers): Promise<string> {
    const reader = createReader({
      ...readerSettings(table.lab.env),
      // Nothing listens there.
      port: table.lab.ports.plain + 1 === table.lab.ports.tls ? 1 : table.lab.ports.plain + 1,
      witnesses: paths.witnesses[resolvers],
      authorities: [table.lab.authority.cert],
    });
    const name = nameOfRow(ROWS.indexOf(row), row);
    const question = {
      domain: row.claims ? `${row.claims}.${name}` : name,
      label: LABEL,
      token: TOKEN,
      overHttps: { openedAt: Date.now(), held: [] },
    };
    try {
      const seen = await reader.readChallenge(question, AbortSignal.timeout(30_000));
      if (!isPortShut(seen)) return "port 53 is open";
      const { validation } = seen;
      const why = validation && "reason" in validation ? ` ${validation.reason.type}` : "";
      return `${describeDecision(decide(seen, NO_HISTORY))}${why}`;
    } finally {
      reader.close();
    }
  }

  beforeAll(async () => {
    table = await startTable(ROWS);
    const forged = ROWS.flatMap((row, index) => ({
      name: nameOfRow(index, row),
      host: "has1",
      tld: row.tld ?? ("com" as const),
    }));
    paths = await openPaths(table.lab, forged);
    const rows = ROWS.values();
    const work = async () => {
      for (const row of rows)
        words.set(row, await read(row, OVER_HTTPS[row.resolvers ?? "unbound"]));
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
    const all = (list: readonly Row[]) => {
      const counts = new Map<string, number>();
      for (const row of list) {
        const key = `${row.signed ? "signed" : "unsigned"}: ${words.get(row)}`;
        counts.set(key, (counts.get(key) ?? 0) + 1);
      }
      return [...counts].map(([key, count]) => `  ${count} × ${key}`).join("\n");
    };
    console.log(`without a signature for now: ${REFUSED.length}\n${all(REFUSED)}`);
    console.log(`with one: ${PROVED.length}\n${all(PROVED)}`);
  }, 240_000);
  afterAll(async () => {
    paths?.close();
    await table?.stop();
  });

  const titled = (rows: readonly Row[]) => rows.map((row) => [row.title, row] as const);

  it.for(titled(REFUSED))("refuses %s", ([, row]) => {
    expect(words.get(row)).toMatch(/^(unresolvable|absent)/);
  });

  it.for(titled(PROVED))("proves %s", ([, row]) => {
    // Only resolvers over HTTPS are asked.
    const isOverHttps = OVER_HTTPS[row.resolvers ?? "unbound"] === "https";
    expect(words.get(row)).toBe(isOverHttps ? "found" : "unresolvable");
  });
});
