import { expect, it } from "vitest";
import { Client } from "../support/deed.ts";
import { startMailServer } from "../support/mail-server.ts";
import { freePort, newFolder, startService } from "../support/service.ts";

const ask = async (url: string, email: string) => {
  const { status } = await new Client(url).post("/api/auth/magic-link", { email });
  expect(status).toBe(202);
};
const mailHealth = async (url: string) =>
  ((await new Client(url).get("/api/health")).body as { mail: string }).mail;

it("sends mail after every start", async () => {
  const server = await startMailServer(await freePort());
  const dataDir = newFolder();
  const env = { SMTP_URL: server.url, MAIL_FROM: "deed@example.org" };
  for (let start = 1; start <= 2; start++) {
    const service = await startService({ dataDir, env });
    await ask(service.url, `start${start}@example.org`);
    await expect.poll(() => server.mails.length, { timeout: 30_000 }).toBe(start);
    expect(await mailHealth(service.url)).toBe("ok");
    expect(await service.stop()).toBe(0);
  }
  await server.stop();
});

it("reports that mail fails, and sends it once the server is back", async () => {
  const port = await freePort();
  const env = {
    SMTP_URL: `smtp://127.0.0.1:${port}`,
    MAIL_FROM: "deed@example.org",
    METRICS: "on",
  };
  const service = await startService({ env });
  await ask(service.url, "early@example.org");
  await expect.poll(() => mailHealth(service.url), { timeout: 30_000 }).toBe("failing");
  const metrics = (await new Client(service.url).get("/metrics")).text;
  expect(metrics).toContain("deed_mail_failing 1");
  expect(metrics).toContain('deed_mails_total{result="failed"} 1');

  const server = await startMailServer(port);
  await expect.poll(() => server.mails.length, { timeout: 30_000 }).toBe(1);
  expect(server.mails[0]).toContain("early@example.org");
  expect(await mailHealth(service.url)).toBe("ok");
  await service.stop();
  await server.stop();
});
