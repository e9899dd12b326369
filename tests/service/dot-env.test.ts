import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { userInfo } from "node:os";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { deed, isRoot } from "../support/command.ts";
import { lacksSharedNode } from "../support/lacks.ts";
import { newFolder } from "../support/service.ts";

let folder: string;
let file: string;
beforeEach(() => {
  folder = newFolder();
  file = join(folder, ".env");
});

const inFolder = (args: string[], asPlainUser = false) => deed(args, { cwd: folder, asPlainUser });

describe("a .env that cannot be read ends the command with one line", () => {
  it.each<[reason: string, make: () => void]>([
    ["it is a folder", () => mkdirSync(file)],
    ["it is not UTF-8 text", () => writeFileSync(file, "\ufeffPORT=8080\n", "utf16le")],
  ])("if %s", (reason, make) => {
    make();
    const stderr = `${file} cannot be read: ${reason}\n`;
    expect(inFolder(["serve"])).toEqual({ status: 78, stdout: "", stderr });
  });

  it.skipIf(lacksSharedNode())("that says whose it is, if it is closed to this user", () => {
    writeFileSync(file, "PORT=8080\n");
    chmodSync(folder, 0o755);
    chmodSync(file, 0);
    const reader = isRoot ? "nobody" : userInfo().username;
    const owner = userInfo().username;
    expect(inFolder(["serve"], true)).toMatchObject({
      status: 78,
      stderr: `${file} cannot be read by ${reader} (EACCES): it belongs to ${owner}\n`,
    });
  });
});

it("is read without the byte order mark that Windows puts first", () => {
  writeFileSync(file, "\ufeffPORT=8081\r\nLOG_LEVEL=warn\r\n");
  const { stdout, stderr } = inFolder(["config"]);
  expect(stdout).toMatch(/^PORT +\.env +8081$/m);
  expect(stdout).toMatch(/^LOG_LEVEL +\.env +warn$/m);
  expect(stderr).toBe("");
});
