import { randomBytes } from "node:crypto";
import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { deed } from "../support/command.ts";
import { newFolder, startService } from "../support/service.ts";

it("16.2.4, 16.3.2: whatever a stranger sends, every line is JSON, and a refused write names what it was", async () => {
  const service = await startService();
  for (const [path, status, init] of [
    ["/", 200],
    ["/nowhere?token=secret", 404],
    ["/favicon.svg", 200],
    ["/favicon.svg", 416, { headers: { Range: "bytes=9999999-" } }],
    ["/favicon.svg", 412, { headers: { "If-Match": '"none"' } }],
    ["/%00", 404],
    ["/p/0123456789abcdefghjkmnpqrs", 404],
    ["/build/%ff", 404],
    ["/api/account", 401, { method: "DELETE", body: "{" }],
    ["/sign-out", 403, { method: "POST", headers: { Origin: "https://x.example" } }],
  ] as [string, number, RequestInit?][])
    expect([path, (await fetch(service.url + path, init)).status]).toEqual([path, status]);
  await service.stop();
  const lines = service.output().split("\n").filter(Boolean);
  expect(lines.filter((line) => !line.startsWith('{"level":'))).toEqual([]);
  expect(lines.filter((line) => line.includes('"msg":"listening"'))).toHaveLength(1);
  expect(lines.join()).toContain('"method":"POST","path":"/sign-out","status":403');
  expect(lines.join()).toContain('"path":"/nowhere?token=secret","status":404');
  expect(lines.join()).toContain('"path":"/p/*","status":404');
  expect(lines.join()).not.toContain('"path":"/favicon.svg","status":200');
});

it("tells at a start that the settings were not read, once there are accounts", async () => {
  const dataDir = newFolder();
  const starts = async (env: Record<string, string>) => {
    const service = await startService({ dataDir, env });
    await service.stop();
    return service.output().includes('"warning":"settings_not_read"');
  };
  expect(await starts({})).toBe(false);
  expect(deed(["users", "add", "kim@example.org"], { env: { DATA_DIR: dataDir } }).status).toBe(0);
  expect(await starts({})).toBe(true);
  expect(await starts({ BASE_URL: "http://localhost:3000" })).toBe(false);
});

it("tells at a start that goes on which secrets are open to others, and which variable was meant", async () => {
  const dataDir = newFolder();
  const secrets = ["session-secret", "signing-key"].map((name) => join(dataDir, name));
  for (const path of secrets) {
    writeFileSync(path, randomBytes(32).toString("hex"));
    chmodSync(path, 0o666);
  }
  const service = await startService({ dataDir, env: { ADMINS: "x", LOGLEVEL: "x", COLOUR: "x" } });
  await service.stop();
  const told = (warning: string) =>
    service
      .output()
      .split("\n")
      .filter((line) => line.includes(`"warning":"${warning}"`))
      .map((line) => JSON.parse(line).msg);
  const open = "has mode 0666: other users of this machine can access it: chmod 0600";
  expect(told("data_folder_files")).toEqual(secrets.map((path) => `${path} ${open} ${path}`));
  expect(told("unknown_variable")).toEqual([
    "ADMINS is not a variable of Deed: set ADMIN instead",
    "LOGLEVEL is not a variable of Deed: set LOG_LEVEL instead",
  ]);
});
