import { chmodSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { deed, nobodyToAsk } from "../support/command.ts";
import { freePort, newFolder, startService } from "../support/service.ts";

const WRITABLE_BY_ALL = 0o666;

it("tells at each start, as `deed doctor` does, which secrets of the data folder are open to others", async () => {
  const dataDir = newFolder();
  const first = await startService({ dataDir });
  expect(await first.stop()).toBe(0);
  expect(first.output()).not.toContain("data_folder_files");
  const names = ["session-secret", "signing-key"];
  for (const name of names) chmodSync(join(dataDir, name), WRITABLE_BY_ALL);

  const second = await startService({ dataDir });
  await second.stop();
  const lines = names.map((name) => {
    const path = join(dataDir, name);
    return `${path} has mode 0666: other users of this machine can get at it: chmod 0600 ${path}`;
  });
  const told = second
    .output()
    .split("\n")
    .filter((line) => line.includes('"warning":"data_folder_files"'))
    .map((line) => JSON.parse(line).msg);
  expect(told).toEqual(lines);
  const env = { DATA_DIR: dataDir, PORT: String(await freePort()), ...nobodyToAsk(newFolder()) };
  const { findings } = JSON.parse(deed(["doctor", "--json"], { env }).stdout);
  const broken = (findings as { subject: string; status: string; text: string; advice: string }[])
    .filter(({ subject, status }) => subject === "Files" && status === "broken")
    .map(({ text, advice }) => `${text}: ${advice}`);
  expect(broken).toEqual(lines);
});
