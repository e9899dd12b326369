import { randomBytes } from "node:crypto";
import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { deed } from "../support/command.ts";
import { newFolder, startService } from "../support/service.ts";

/** One data folder: its secrets are open to all, and other programs' variables look like those of Deed. */
const dataDir = newFolder();
const secrets = ["session-secret", "signing-key"].map((name) => join(dataDir, name));
for (const path of secrets) {
  writeFileSync(path, randomBytes(32).toString("hex"));
  chmodSync(path, 0o666);
}

/** The lines of a service from its start to its stop. */
async function linesOf(env: Record<string, string>, use = async (_url: string) => {}) {
  const service = await startService({ dataDir, env });
  await use(service.url);
  await service.stop();
  return service.output().split("\n").filter(Boolean);
}
const told = (lines: string[], warning: string) =>
  lines.flatMap((line) => (line.includes(`"warning":"${warning}"`) ? JSON.parse(line).msg : []));

// The second adds the first account.
describe("the log", { shuffle: false }, () => {
  it("16.2.4, 16.3.2: whatever a stranger sends, every line is JSON, and a refused write names what it was", async () => {
    const env = { ADMINS: "x", LOGLEVEL: "x", COLOUR: "x" };
    const lines = await linesOf(env, async (url) => {
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
        expect([path, (await fetch(url + path, init)).status]).toEqual([path, status]);
    });
    expect(lines.filter((line) => !line.startsWith('{"level":'))).toEqual([]);
    expect(lines.filter((line) => line.includes('"msg":"listening"'))).toHaveLength(1);
    expect(lines.join()).toContain('"method":"POST","path":"/sign-out","status":403');
    expect(lines.join()).toContain('"path":"/nowhere?token=secret","status":404');
    expect(lines.join()).toContain('"path":"/p/*","status":404');
    expect(lines.join()).not.toContain('"path":"/favicon.svg","status":200');

    const open = "has mode 0666: other users of this machine can access it: chmod 0600";
    expect(told(lines, "data_folder_files")).toEqual(secrets.map((at) => `${at} ${open} ${at}`));
    expect(told(lines, "unknown_variable")).toEqual([
      "ADMINS is not a variable of Deed: set ADMIN instead",
      "LOGLEVEL is not a variable of Deed: set LOG_LEVEL instead",
    ]);
    expect(told(lines, "settings_not_read")).toEqual([]);
  });

  it("tells at a start that the settings were not read, once there are accounts", async () => {
    const add = ["users", "add", "kim@example.org"];
    expect(deed(add, { env: { DATA_DIR: dataDir } })).toMatchObject({ status: 0 });
    expect(told(await linesOf({}), "settings_not_read")).toHaveLength(1);
    const set = await linesOf({ BASE_URL: "http://localhost:3000" });
    expect(told(set, "settings_not_read")).toEqual([]);
  });
});
