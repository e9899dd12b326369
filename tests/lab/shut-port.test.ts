import { spawn, spawnSync } from "node:child_process";
import { text } from "node:stream/consumers";
import { beforeAll, expect, it } from "vitest";
import { passOver } from "../support/lacks.ts";
import { describeLab } from "./lab.ts";

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
    expect(attempts.length).toBeGreaterThan(1);
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
