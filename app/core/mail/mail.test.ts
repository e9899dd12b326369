import { once } from "node:events";
import { readdirSync, readFileSync, statSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { inspect } from "node:util";
import { SMTPServer } from "smtp-server";
import { describe, expect, it, onTestFinished } from "vitest";
import type { Mail } from "#app/core/context.server.ts";
import { parseEnvironment } from "#app/environment/env.server.ts";
import { testApp } from "#app/features/sign-in/testing.ts";
import { freePort } from "../../../tests/support/service.ts";
import { createMailer } from "./mail.server.ts";

const MAIL: Mail = {
  to: "ada@example.org",
  subject: "Sign in to Deed",
  text: "Open https://deed.example.org/sign-in/confirm?token=abc=def\n\nGrüße\n",
  html: "<p>Grüße</p>",
};

describe("C21.4: the outbox", () => {
  const outbox = (environment = {}) => {
    const app = testApp({ SESSION_SECRET: "5".repeat(64), ...environment });
    const folder = join(app.env.DATA_DIR, "outbox");
    const send = (mail: Partial<Mail> = {}) =>
      createMailer(app.env, app.log, app.clock).send({ ...MAIL, ...mail });
    const texts = () =>
      readdirSync(folder)
        .sort()
        .map((name) => readFileSync(join(folder, name), "utf8"));
    return { app, folder, send, texts };
  };

  it("stores each mail as an unencoded file only its owner can read, named on the console", async () => {
    const { send, folder, texts, app } = outbox();
    await send();
    const [text] = texts();
    const [file] = readdirSync(folder);
    expect(statSync(join(folder, `${file}`)).mode & 0o777).toBe(0o600);
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    const head = "From: Deed <deed@localhost>\nTo: ada@example.org\nSubject: Sign in to Deed\n";
    for (const part of [head, "Date: Thu, 12 Mar 2026 14:03:22 +0000\n", MAIL.text, MAIL.html])
      expect(text).toContain(part);
    expect(text).not.toContain("List-Unsubscribe");
    expect(readdirSync(app.env.DATA_DIR)).toEqual(["outbox"]);
    expect(app.logged.join()).toContain(join(folder, `${file}`));
    expect(app.logged.join()).not.toMatch(/token|confirm|ada@/);
  });

  it("has each header on its line, whatever it contains", async () => {
    const { send, texts } = outbox();
    const headers = { "List-Unsubscribe": "<http://x/m/x>\r\nBcc: eve@example.org" };
    await send({ subject: "x\r\nBcc: eve@example.org", headers });
    const [text] = texts();
    expect(text).toContain("List-Unsubscribe: <http://x/m/x> Bcc: eve@example.org\n");
    expect(text).not.toMatch(/^Bcc:/m);
  });

  it("keeps mails in the order they were sent, even within a millisecond", async () => {
    const { app, folder, texts } = outbox();
    const mailer = createMailer(app.env, app.log, app.clock);
    for (let i = 0; i < 12; i++) {
      await mailer.send({ ...MAIL, subject: `mail ${i}` });
      if (i === 6) app.pass(1);
    }
    expect(readdirSync(folder)).toHaveLength(12);
    const subjects = texts().map((text) => /^Subject: mail (\d+)$/m.exec(text)?.[1]);
    expect(subjects).toEqual(Array.from({ length: 12 }, (_, i) => String(i)));
  });

  it("rejects if the file cannot be written", async () => {
    const { send, app } = outbox({ DATA_DIR: "/dev/null/nowhere" });
    await expect(send()).rejects.toThrow();
    expect(app.logged).toEqual([]);
  });
});

describe("mail over SMTP", () => {
  async function listen(options: { refuse?: boolean; port?: number } = {}) {
    const received: { from: string; to: string[]; raw: string }[] = [];
    const server = new SMTPServer({
      authOptional: true,
      disabledCommands: ["STARTTLS", "AUTH"],
      onRcptTo: (_address, _session, callback) => {
        callback(options.refuse ? new Error("no such mailbox") : null);
      },
      onData: async (stream, { envelope: { mailFrom, rcptTo } }, callback) => {
        const to = rcptTo.map(({ address }) => address);
        received.push({ from: mailFrom ? mailFrom.address : "", to, raw: await text(stream) });
        callback();
      },
    });
    await once(server.listen(options.port ?? 0, "127.0.0.1"), "listening");
    const { port } = server.server.address() as AddressInfo;
    const close = () => new Promise<void>((done) => server.close(done));
    onTestFinished(close);
    const SMTP_URL = `smtp://127.0.0.1:${port}`;
    const env = parseEnvironment({ SMTP_URL, MAIL_FROM: "Deed <deed@example.org>" });
    const { log, clock } = testApp();
    const results: string[] = [];
    const mailer = createMailer(env, log, clock, (result) => void results.push(result));
    return { received, mailer, results, port, close };
  }

  it("is sent as text and HTML, to one address", async () => {
    const { received, mailer } = await listen();
    await mailer.send(MAIL);
    expect(received).toMatchObject([{ from: "deed@example.org", to: ["ada@example.org"] }]);
    const raw = received[0]?.raw ?? "";
    expect(raw).toContain("From: Deed <deed@example.org>\r\n");
    expect(raw).toContain("Auto-Submitted: auto-generated");
    expect(raw).toContain("multipart/alternative");
    expect(raw.replace(/=\r\n/g, "")).toContain("token=3Dabc=3Ddef");
  });

  it("goes to nobody else, whatever the address or subject contains", async () => {
    const { received, mailer } = await listen();
    await mailer.send({ ...MAIL, subject: "x\r\nBcc: eve@example.org" });
    await mailer.send({ ...MAIL, to: "ada@example.org,eve@example.org" }).catch(() => {});
    expect(received.flatMap(({ to }) => to)).not.toContain("eve@example.org");
    expect(received[0]?.raw).not.toMatch(/^Bcc:/m);
  });

  it("rejects what the server refuses", async () => {
    const { mailer, results } = await listen({ refuse: true });
    const refusal = await mailer.send(MAIL).catch((error: unknown) => error);
    expect(refusal).toMatchObject({
      message: "the mail server did not accept the mail: EENVELOPE RCPT TO 550",
      isFinal: true,
      isAboutRecipient: true,
    });
    expect([mailer.health(), results]).toEqual(["unknown", ["failed"]]);
    expect(inspect(refusal, { depth: 9 })).not.toContain("ada@");
  });

  it("fails if no server listens, and works again once one does", async () => {
    // If the system had chosen the port, it could give it to somebody else once it is shut.
    const { mailer, results, port, close } = await listen({ port: await freePort() });
    await close();
    expect(mailer.health()).toBe("unknown");
    await expect(mailer.send(MAIL)).rejects.toThrow(/ECONNREFUSED/);
    expect(mailer.health()).toBe("failing");
    const { received } = await listen({ port });
    await mailer.send(MAIL);
    expect([received.length, mailer.health(), results]).toEqual([1, "ok", ["failed", "sent"]]);
  });
});
