import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createReader } from "@deed/dns/resolve/create-reader.ts";
import { afterAll, expect, it } from "vitest";
import { examine } from "#app/ops/checks/checks.ts";
import { checkSettings, exitCodeOf, questionOf, readings } from "../../bin/check/read.ts";
import { reportOf, textOf } from "../../bin/check/report.ts";
import { both, record, TOKEN, useLab, zone } from "./case.ts";
import { describeLab } from "./lab.ts";
import { foreignDs } from "./zones.ts";

const SIGNED = zone("signed.example", both(record(TOKEN)), { signed: true });
const BOGUS = zone("bogus.example", both(record(TOKEN)), {
  signed: true,
  ds: [foreignDs("bogus.example")],
});
/** A title and a colour for the terminal, in decimal escapes of a zone file. */
const HOSTILE = zone("hostile.com", both(record("\\027]0;owned\\007\\027[31mred")));

describeLab("deed check and deed doctor on knotd and unbound", () => {
  const at = useLab([SIGNED, BOGUS, HOSTILE]);
  const folder = mkdtempSync(join(tmpdir(), "deed-lab-commands-"));
  afterAll(() => rmSync(folder, { recursive: true }));
  const environment = () => ({ ...at.lab.env, DNS_RESOLVERS: at.lab.overHttps });

  async function check(name: string) {
    const { reader: settings, label } = checkSettings(environment());
    const reader = createReader({ ...settings, authorities: [at.lab.authority.cert] });
    try {
      const question = questionOf(name, TOKEN, label);
      const reading = await readings(reader, question)(AbortSignal.timeout(30_000));
      const report = reportOf(reading, Date.now());
      return { exitCode: exitCodeOf(reading), report, text: textOf(report).join("\n") };
    } finally {
      reader.close();
    }
  }

  it("finds a record in a signed zone, confirmed by resolvers over HTTPS", async () => {
    const { exitCode, report, text } = await check(SIGNED.name);
    expect(exitCode).toBe(0);
    expect(report.resolvers).toMatchObject(
      Array(3).fill({ transport: "https", hasRecord: true, validated: true }),
    );
    expect(text).toContain("Found: this proves the domain.");
  });

  it("names a broken DS record", async () => {
    const { exitCode, text } = await check(BOGUS.name);
    expect(exitCode).toBe(1);
    expect(text).toContain("Not found: servfail");
  });

  it("lets no escape sequence through", async () => {
    const { exitCode, text } = await check(HOSTILE.name);
    expect(exitCode).toBe(1);
    expect(text).toContain("does not have it: has “\\u{1b}]0;owned\\u{7}\\u{1b}[31mred”");
    expect(text).not.toContain("\x1b");
  });

  it("has every DNS subject in order, with validating witnesses, of which none says the time", async () => {
    const source = { ...environment(), DATA_DIR: folder, BASE_URL: "http://localhost:3000" };
    const findings = await examine({
      source,
      mailTo: null,
      authorities: [at.lab.authority.cert],
    });
    const about = (subject: string) => findings.filter((one) => one.subject === subject);
    for (const subject of ["DNS over UDP", "DNS over TCP"])
      expect(about(subject)).toMatchObject([{ status: "ok" }]);
    expect(about("Witness")).toMatchObject(Array(3).fill({ status: "ok" }));
    for (const { text } of about("Witness")) expect(text).toContain("and validates");
    // unbound sends no Date.
    expect(about("Clock")).toMatchObject([
      { status: "warning", text: expect.stringContaining("nobody could be asked") },
    ]);
  });
});
