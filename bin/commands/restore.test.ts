import { existsSync } from "node:fs";
import { expect, it, vi } from "vitest";
import { eachFolder } from "#db/testing.files.ts";
import { run } from "../program.ts";

const folder = eachFolder();

it("makes no folder for a backup that is not there", async () => {
  const [data, backup] = [folder("data"), folder("none.db")];
  vi.stubEnv("DATA_DIR", data);
  // Vite sets it to a path.
  vi.stubEnv("BASE_URL", "");
  const printed = vi.spyOn(console, "error").mockReturnValue();
  const { exitCode } = process;
  await run(["restore", backup]);
  process.exitCode = exitCode;
  expect(printed).toHaveBeenCalledWith(`Nothing was restored: ${backup} does not exist`);
  expect(existsSync(data)).toBe(false);
});
