import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { examine } from "#app/ops/checks/checks.ts";
import { checkSettings, exitCodeOf, questionOf, readings } from "../../bin/check/read.ts";
import { reportOf, textOf } from "../../bin/check/report.ts";
import { both, record, TOKEN, useLab, zone } from "./case.ts";
import { describeLab } from "./lab.ts";

const SIGNED = zone("signed.example", both(record(TOKEN)), { signed: true });

describeLab("deed check and deed doctor on knotd and unbound", () => {
  const at = useLab([SIGNED]);
  const folder = mkdtempSync(join(tmpdir(), "deed-lab-commands-"));
  afterAll(() => rmSync(folder, { recursive: true }));
  const environment = () => ({ ...at.lab.env, DNS_RESOLVERS: at.lab.overHttps });

  it("finds a record in a signed zone, confirmed by resolvers over HTTPS", async () => {
    const { reader: settings, label } = checkSettings(environment());
    const options = { ...settings, authorities: [at.lab.authority.cert] };
    const question = questionOf(SIGNED.name, TOKEN, label);
    const reading = await readings(options, question)(AbortSignal.timeout(30_000));
    expect(exitCodeOf(reading)).toBe(0);
    const report = reportOf(reading, Date.now());
    expect(report.resolvers).toMatchObject(
      Array(3).fill({ transport: "https", hasRecord: true, validated: true }),
    );
    expect(textOf(report).join("\n")).toContain("Found: this proves the domain.");
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
