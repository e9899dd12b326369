import { once } from "node:events";
import { SMTPServer } from "smtp-server";
import { expect, it } from "vitest";
import { parseEnvironment } from "#app/ops/environment/env.server.ts";
import { freePort } from "../../../tests/support/service.ts";
import { warnOfUnreachable } from "./servers.ts";

async function warningsOf(source: Record<string, string>): Promise<string[]> {
  const lines: string[] = [];
  const log = {
    debug() {},
    info() {},
    error() {},
    warn: (fields: object) => lines.push(JSON.stringify(fields)),
  };
  await warnOfUnreachable(parseEnvironment(source), log);
  return lines;
}

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
  const port = await freePort();
  server.listen(port, "127.0.0.1");
  await once(server.server, "listening");
  const source = { SMTP_URL: `smtp://127.0.0.1:${port}`, MAIL_FROM: "deed@example.org" };
  expect(await warningsOf(source)).toEqual([]);
  expect(await warningsOf({})).toEqual([]);
  const [line] = await warningsOf({ ...source, SMTP_URL: `smtps://127.0.0.1:${port}` });
  expect(line).toContain('"reason":"the server does not begin with TLS: use smtp:// on this port');
  server.close();
});
