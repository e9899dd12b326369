import { SMTPServer } from "smtp-server";
import { expect, it } from "vitest";
import type { Log } from "#app/core/context.server.ts";
import { portOf } from "#app/core/testing/servers.ts";
import { parseEnvironment } from "#app/environment/env.server.ts";
import { freePort } from "../../../tests/support/service.ts";
import { warnOfShutPort } from "./root-servers.ts";
import { warnOfUnreachable } from "./servers.ts";

async function linesOf(work: (log: Log) => Promise<void>): Promise<string[]> {
  const lines: string[] = [];
  const warn = (fields: object, message: string) =>
    void lines.push(JSON.stringify({ ...fields, message }));
  await work({ debug() {}, info() {}, error() {}, warn });
  return lines;
}
const warningsOf = (source: Record<string, string>) =>
  linesOf((log) => warnOfUnreachable(parseEnvironment(source), log));

it("warns of a mail server and an identity provider that do not answer, without the login", async () => {
  const dead = await freePort();
  const lines = await warningsOf({
    SMTP_URL: `smtp://kim:hunter2@127.0.0.1:${dead}`,
    MAIL_FROM: "deed@example.org",
    OIDC_ISSUER: `http://127.0.0.1:${dead}`,
    OIDC_CLIENT_ID: "deed",
    OIDC_CLIENT_SECRET: "hunter2",
  });
  expect(lines).toHaveLength(2);
  expect(lines.join()).toContain('"warning":"smtp_unreachable","variable":"SMTP_URL"');
  expect(lines.join()).toContain('"warning":"oidc_unreachable","variable":"OIDC_ISSUER"');
  expect(lines.join()).not.toContain("hunter2");
});

it("says nothing of a mail server that answers, or of none, but of smtps:// where there is no TLS", async () => {
  const server = new SMTPServer({ authOptional: true, disabledCommands: ["STARTTLS"] });
  const port = await portOf(server.server);
  const source = { SMTP_URL: `smtp://127.0.0.1:${port}`, MAIL_FROM: "deed@example.org" };
  expect(await warningsOf(source)).toEqual([]);
  expect(await warningsOf({})).toEqual([]);
  const [line] = await warningsOf({ ...source, SMTP_URL: `smtps://127.0.0.1:${port}` });
  expect(line).toContain('"reason":"the server does not begin with TLS: use smtp:// on this port');
});

it("warns that port 53 is shut, over UDP and TCP, and says what is proved meanwhile", async () => {
  const settings = {
    rootHints: [{ host: "a.root", addresses: ["127.0.0.199"] }],
    trustAnchors: [],
    witnesses: [],
    allowAddresses: ["127.0.0.0/8"],
    port: await freePort(),
  };
  const lines = await linesOf((log) => warnOfShutPort(settings, log, new AbortController().signal));
  expect(lines).toHaveLength(2);
  for (const [index, way] of ["UDP", "TCP"].entries()) {
    expect(lines[index]).toContain(`"port_53_shut","reason":"DNS over ${way}: 0 of 1 root servers`);
    expect(lines[index]).toMatch(/Allow .* until then only domains with DNSSEC are proved/);
  }
});
