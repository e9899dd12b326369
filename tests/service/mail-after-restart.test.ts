import { expect, it } from "vitest";
import { Client } from "../support/deed.ts";
import { startMailServer } from "../support/mail-server.ts";
import { freePort, newFolder, startService } from "../support/service.ts";

it("sends mail after every start", async () => {
  const server = await startMailServer(await freePort());
  const dataDir = newFolder();
  const env = { SMTP_URL: server.url, MAIL_FROM: "deed@example.org" };
  for (let start = 1; start <= 2; start++) {
    const service = await startService({ dataDir, env });
    const client = new Client(service.url);
    await client.expect(202, "POST", "/api/auth/magic-link", { email: `${start}@example.org` });
    await expect.poll(() => server.mails.length).toBe(start);
    expect(await client.expect(200, "GET", "/api/health")).toMatchObject({ mail: "ok" });
    expect(await service.stop()).toBe(0);
  }
  await server.stop();
});
