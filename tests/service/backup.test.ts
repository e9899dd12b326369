import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { Client, signIn } from "../support/client.ts";
import { startService } from "../support/service.ts";

const command = (dataDir: string, name: string, file: string) => {
  const { status, stdout, stderr } = spawnSync("npm", ["run", "--silent", name, file], {
    encoding: "utf8",
    env: {
      NODE_ENV: "production",
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      DATA_DIR: dataDir,
    },
  });
  return { status, said: stdout + stderr };
};

it("backs up a running service, and restores into it only once it is stopped", async () => {
  const folder = mkdtempSync(join(tmpdir(), "deed-backups-"));
  const file = join(folder, "backup.db");
  let service = await startService();
  try {
    const { dataDir } = service;
    const client = await signIn(service, "keeper@holder.example");
    await client.post("/api/domains", { domain: "before.example.com" });
    expect(command(dataDir, "backup", file)).toMatchObject({ status: 0 });
    expect(command(dataDir, "backup", file)).toMatchObject({ status: 1 });
    await client.post("/api/domains", { domain: "after.example.com" });

    const refused = command(dataDir, "restore", file);
    expect(refused.status).toBe(1);
    expect(refused.said).toContain("in use: stop the service first");
    await service.stop({ keep: true });
    const restored = command(dataDir, "restore", file);
    expect(restored.said).toContain("now holds");
    expect(restored.status).toBe(0);

    service = await startService({ dataDir });
    const again = new Client(service.url);
    again.cookie = client.cookie;
    const { body } = await again.get("/api/domains");
    const { domains } = body as { domains: { name: string }[] };
    expect(domains.map(({ name }) => name)).toEqual(["before.example.com"]);
    await service.stop({ keep: true });
    expect(command(dataDir, "backup", join(folder, "stopped.db"))).toMatchObject({ status: 0 });
  } finally {
    await service.stop();
    rmSync(folder, { recursive: true, force: true });
  }
});
