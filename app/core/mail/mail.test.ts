import { readdirSync, readFileSync, statSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { inspect } from "node:util";
import { SMTPServer } from "smtp-server";
import { afterEach, describe, expect, it } from "vitest";
import type { Mail } from "#app/core/context.server.ts";
import { parseEnvironment } from "#app/environment/env.server.ts";
import { testApp } from "#app/features/sign-in/testing.ts";
import { mails, renderMetrics } from "#app/http/metrics.server.ts";
import { freePort } from "../../../tests/support/service.ts";
import { createMailer } from "./mail.server.ts";

const MAIL: Mail = {
  to: "ada@example.org",
  subject: "Sign in to Deed",
  text: "Open https://deed.example.org/sign-in/confirm?token=abc=def\n\nGrüße\n",
  html: "<p>Grüße</p>",
};

// C21.4
describe("the outbox", () => {
  const outbox = (environment = {}) => {
    const app = testApp({ SESSION_SECRET: "5".repeat(64), ...environment });
    const folder = join(app.env.DATA_DIR, "outbox");
    return {
      app,
      folder,
      mailer: createMailer(app.env, app.log, app.clock),
      files: () => readdirSync(folder).sort(),
    };
  };

  it("stores each mail as an unencoded file only its owner can read", async () => {
    const { mailer, folder, files, app } = outbox();
    await mailer.send(MAIL);
    const [name = ""] = files();
    const text = readFileSync(join(folder, name), "utf8");
    expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600);
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    expect(text).toContain(
      "From: Deed <deed@localhost>\nTo: ada@example.org\nSubject: Sign in to Deed\n",
    );
    expect(text).toContain("Date: Thu, 12 Mar 2026 14:03:22 +0000\n");
    expect(text).toContain(MAIL.text);
    expect(text).toContain(MAIL.html);
    expect(readdirSync(app.env.DATA_DIR)).toEqual(["outbox"]);
  });

  it("has the headers of a mail, each on its line", async () => {
    const { mailer, folder, files } = outbox();
    await mailer.send({
      ...MAIL,
      headers: { "List-Unsubscribe": "<http://localhost:3000/m/x>\r\nBcc: eve@example.org" },
    });
    await mailer.send(MAIL);
    const [stopped, plain] = files().map((name) => readFileSync(join(folder, name), "utf8"));
    expect(stopped).toContain(
      "List-Unsubscribe: <http://localhost:3000/m/x> Bcc: eve@example.org\n",
    );
    expect(plain).not.toContain("List-Unsubscribe");
  });

  it("is named on the console, without the mail's content", async () => {
    const { mailer, folder, files, app } = outbox();
    await mailer.send(MAIL);
    expect(app.logged.join()).toContain(join(folder, files()[0] ?? "?"));
    expect(app.logged.join()).not.toMatch(/token|confirm|ada@/);
  });

  it("keeps mails in the order they were sent, even within a millisecond", async () => {
    const { mailer, files, folder, app } = outbox();
    for (let i = 0; i < 12; i++) {
      await mailer.send({ ...MAIL, subject: `mail ${i}` });
      if (i === 6) app.pass(1);
    }
    const subjects = files().map(
      (name) => /^Subject: mail (\d+)$/m.exec(readFileSync(join(folder, name), "utf8"))?.[1],
    );
    expect(subjects).toEqual(Array.from({ length: 12 }, (_, i) => String(i)));
  });

  it("prevents header injection", async () => {
    const { mailer, files, folder } = outbox();
    await mailer.send({ ...MAIL, subject: "x\r\nBcc: eve@example.org" });
    expect(readFileSync(join(folder, files()[0] ?? ""), "utf8")).not.toMatch(/^Bcc:/m);
  });

  it("rejects if the file cannot be written", async () => {
    const { mailer, app } = outbox({ DATA_DIR: "/dev/null/nowhere" });
    await expect(mailer.send(MAIL)).rejects.toThrow();
    expect(app.logged).toEqual([]);
  });
});

describe("mail over SMTP", () => {
  type Received = { from: string; to: string[]; raw: string };
  let server: SMTPServer | null = null;
  afterEach(() => new Promise<void>((done) => (server ? server.close(done) : done())));

  async function listen(options: { refuse?: boolean; port?: number } = {}) {
    const received: Received[] = [];
    server = new SMTPServer({
      authOptional: true,
      disabledCommands: ["STARTTLS", "AUTH"],
      onRcptTo: (_address, _session, callback) => {
        callback(options.refuse ? new Error("no such mailbox") : null);
      },
      onData: async (stream, session, callback) => {
        const { mailFrom, rcptTo } = session.envelope;
        const to = rcptTo.map(({ address }) => address);
        received.push({ from: mailFrom ? mailFrom.address : "", to, raw: await text(stream) });
        callback();
      },
    });
    await new Promise<void>((resolve) => server?.listen(options.port ?? 0, "127.0.0.1", resolve));
    const { port } = server.server.address() as AddressInfo;
    const env = parseEnvironment({
      SMTP_URL: `smtp://127.0.0.1:${port}`,
      MAIL_FROM: "Deed <deed@example.org>",
    });
    const { log, clock } = testApp();
    return { received, mailer: createMailer(env, log, clock, (result) => mails.add({ result })) };
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
    const { mailer } = await listen({ refuse: true });
    const refusal = await mailer.send(MAIL).catch((error: unknown) => error);
    expect(refusal).toMatchObject({
      message: "the mail server took no mail: EENVELOPE RCPT TO 550",
    });
    expect(refusal).toMatchObject({ isFinal: true, isAboutRecipient: true });
    expect(mailer.health()).toBe("unknown");
    expect(inspect(refusal, { depth: 9 })).not.toContain("ada@");
  });

  it("fails if no server listens, and works again once one does", async () => {
    const { log, clock } = testApp();
    const port = await freePort();
    const env = parseEnvironment({
      SMTP_URL: `smtp://127.0.0.1:${port}`,
      MAIL_FROM: "deed@example.org",
    });
    const mailer = createMailer(env, log, clock);
    expect(mailer.health()).toBe("unknown");
    await expect(mailer.send(MAIL)).rejects.toThrow(/ECONNREFUSED/);
    expect(mailer.health()).toBe("failing");
    const { received } = await listen({ port });
    await mailer.send(MAIL);
    expect(received).toHaveLength(1);
    expect(mailer.health()).toBe("ok");
  });

  it("is counted by result", async () => {
    const counted = () =>
      ["sent", "failed"].map((result) => {
        const line = new RegExp(`^deed_mails_total\\{result="${result}"\\} (\\d+)$`, "m");
        return Number(line.exec(renderMetrics([]))?.[1] ?? 0);
      });
    const [sent = 0, failed = 0] = counted();
    const { mailer } = await listen();
    await mailer.send(MAIL);
    await mailer.send({ ...MAIL, to: "" }).catch(() => {});
    expect(counted()).toEqual([sent + 1, failed + 1]);
  });
});
