import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { startPlayground } from "@deed/playground/playground.ts";
import { SMTPServer } from "smtp-server";
import { afterAll, expect, it } from "vitest";
import { startProvider } from "#app/features/sign-in/testing.oidc.ts";
import { Client, keyOf, mailedToken, mailTo, openClaim, roomy, signIn } from "../support/deed.ts";
import { freePort, startService } from "../support/service.ts";

const SMTP_PASSWORD = "canary-smtp-password-7f3a9c";
const SESSION_SECRET = "canary-session-secret-0123456789abcdef";

const [port, smtpPort] = [await freePort(), await freePort()];
const playground = await startPlayground();
const provider = await startProvider(`http://localhost:${port}/api/auth/oidc/callback`);
provider.person = { sub: "1", email: "idp@example.org", email_verified: true };
const smtp = new SMTPServer({
  authMethods: ["PLAIN"],
  allowInsecureAuth: true,
  disabledCommands: ["STARTTLS"],
  onAuth: ({ username }, _session, done) => done(null, { user: `${username}` }),
  async onData(stream, _session, done) {
    const refusal = new Error(`refused ${SMTP_PASSWORD} ${(await text(stream)).slice(0, 400)}`);
    // A permanent failure; for others the mail would be retried for over a minute.
    done(Object.assign(refusal, { responseCode: 550 }));
  },
});
await new Promise<void>((go) => smtp.listen(smtpPort, "127.0.0.1", () => go()));
const common = { ...roomy(), ...playground.env, LOG_LEVEL: "debug", METRICS: "on" };
/** The first has an outbox and an identity provider; the second mails through a server with indiscreet error texts. */
const service = await startService({ port, env: { ...common, ...provider.env, SESSION_SECRET } });
const SMTP_URL = `smtp://deed:${SMTP_PASSWORD}@127.0.0.1:${smtpPort}`;
const mail = { SMTP_URL, MAIL_FROM: "deed@example.org" };
const mailing = await startService({ env: { ...common, ...mail } });
afterAll(async () => {
  await service.stop();
  await mailing.stop();
  await Promise.all([provider.stop(), playground.stop()]);
  await new Promise<void>((done) => smtp.close(() => done()));
});

/** Sends a secret wherever secrets are accepted, valid and invalid, and returns everything that comes back. */
async function spreadAbout(secret: string): Promise<string> {
  const client = new Client(service.url);
  const encoded = encodeURIComponent(secret);
  const callback = `/api/auth/oidc/callback?code=${encoded}&state=${encoded}`;
  const answers = [callback, `/sign-in/confirm?token=${encoded}x`, `/api/none?key=${encoded}`].map(
    (path) => client.get(path),
  );
  for (const json of [
    { token: secret },
    { token: [secret] },
    { email: "a@b.example", code: secret },
  ])
    answers.push(client.request("POST", "/api/auth/magic-link/verify", { json }));
  const headers = { cookie: `session=${secret}x`, authorization: `Bearer ${secret}` };
  const broken = { ...headers, "content-type": "application/json" };
  answers.push(client.request("POST", "/api/domains", { headers: broken, body: `{${secret}` }));
  answers.push(client.request("GET", "/domains", { headers }));
  answers.push(client.submit("/sign-in/confirm", { token: `${secret}x` }));
  answers.push(client.submit("/sign-in/sent", { email: "a@b.example", code: secret }));
  return (await Promise.all(answers)).map(({ text, headers }) => text + [...headers]).join("\n");
}

// C12.15
it("sessions, tokens, codes, and the secrets of SMTP and the provider appear in no log, Referer, error or foreign answer", async () => {
  const holder = await signIn(service, "holder@example.org");
  const mail = service.outbox().at(-1) ?? "";
  const usedToken = mailedToken(service, "holder@example.org");
  const session = holder.cookie.slice("session=".length);
  const claim = await openClaim(holder, "acme.com");
  await holder.post(`/api/verifications/${claim.verificationId}/runs`);

  const asker = new Client(service.url);
  const { token, code } = await mailTo(service, asker, "fresh@example.org");
  const page = await new Client(service.url).get(`/sign-in/confirm?token=${token}`);
  expect(page.headers.get("referrer-policy")).toBe("strict-origin");

  const { key } = await keyOf(holder);

  const hook = await holder.post("/api/webhooks", { url: "https://hooks.invalid/deed" });
  const { id: hookId, secret: webhookSecret } = hook.body as { id: string; secret: string };
  await holder.post(`/api/webhooks/${hookId}/test`);

  const browser = new Client(service.url);
  const start = await browser.get("/api/auth/oidc?callbackPath=/notices");
  const back = await provider.signIn(start.headers.get("location") ?? "");
  const flow = start.headers.getSetCookie()[0]?.split(";")[0] ?? "";
  expect((await browser.get(back.pathname + back.search)).status).toBe(302);

  const secrets: Record<string, string> = {
    session,
    // C25.15
    apiKey: key,
    webhookSecret,
    apiKeySecret: key.slice(key.lastIndexOf("_") + 1, -7),
    usedToken,
    token,
    flow: flow.split("=")[1] ?? "",
    idpCode: back.searchParams.get("code") ?? "",
    state: back.searchParams.get("state") ?? "",
    sessionSecret: SESSION_SECRET,
    clientSecret: provider.env.OIDC_CLIENT_SECRET,
    smtpPassword: SMTP_PASSWORD,
  };
  for (const [name, secret] of Object.entries(secrets))
    expect([name, secret.length >= 20]).toEqual([name, true]);

  const echoes: Record<string, string> = {};
  for (const [name, secret] of Object.entries(secrets)) echoes[name] = await spreadAbout(secret);
  const other = await signIn(service, "other@example.org");
  const othersPaths = [
    ...["/api/account", "/api/account/sessions", "/api/domains", "/api/claims", "/api/notices"],
    ...["/domains", "/account", "/metrics", "/api/health", "/api/openapi.json", "/docs/api"],
    ...[`/api/claims/${claim.id}`, `/claims/${claim.id}`, `/api/claims?domainId=${claim.domainId}`],
  ];
  const others = (await Promise.all(othersPaths.map((path) => other.get(path))))
    .map(({ text, headers }) => text + [...headers])
    .join("\n");

  // Mails that the server refuses with a text that could end up in the log.
  const email = "mailed@example.org";
  await new Client(mailing.url).expect(202, "POST", "/api/auth/magic-link", { email });
  await expect.poll(() => mailing.output()).toContain("could not be sent");

  const printed = service.output() + mailing.output();
  const told: string[] = [];
  for (const [name, secret] of Object.entries(secrets)) {
    const forms = [secret, encodeURIComponent(secret), Buffer.from(secret).toString("base64")];
    const places = { log: printed, error: echoes[name] ?? "", "other's answer": others };
    for (const [place, text] of Object.entries(places))
      if (forms.some((one) => text.includes(one))) told.push(`${name} in ${place}`);
  }
  for (const text of [printed, others])
    if (new RegExp(`\\b${code}\\b`).test(text)) told.push("code");
  if (others.includes(claim.token)) told.push("claim token in other's answer");
  expect(told).toEqual([]);
  expect(printed).not.toContain("@example.org");
  expect(mail).toContain(usedToken);
});

it("every file of the data folder is readable by its owner only", async () => {
  await signIn(service, "files@example.org");
  const modes = [service.dataDir, mailing.dataDir].flatMap((folder) =>
    readdirSync(folder, { recursive: true, withFileTypes: true }).map((entry) => {
      const { mode } = statSync(join(entry.parentPath, entry.name));
      return { name: entry.name, mode: mode & 0o777, folder: entry.isDirectory() };
    }),
  );
  const names = modes.map(({ name }) => name);
  expect(names).toEqual(expect.arrayContaining(["deed.db", "deed.db-wal", "session-secret"]));
  expect(names.filter((name) => name.endsWith(".eml"))).not.toEqual([]);
  expect(modes.filter(({ mode, folder }) => mode !== (folder ? 0o700 : 0o600))).toEqual([]);
});
