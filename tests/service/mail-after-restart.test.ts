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
    await expect.poll(() => server.mails.length).toBe(start);
    expect(await mailHealth(service.url)).toBe("ok");
    expect(await service.stop()).toBe(0);
  }
  await server.stop();
});
