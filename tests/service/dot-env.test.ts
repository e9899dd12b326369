import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { userInfo } from "node:os";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { deed, isRoot } from "../support/command.ts";
import { lacksSharedNode } from "../support/lacks.ts";
import { newFolder, startService } from "../support/service.ts";

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

const MEANT = ["ADMINS is not a variable of Deed: set ADMIN instead"];

describe("a name that is nobody's", () => {
  it("is told of .env by `deed config`", () => {
    writeFileSync(file, "ADMINS=kim@example.org\nCOLOUR=red\nPORT=8081\n");
    const { status, stderr } = inFolder(["config"]);
    expect(status).toBe(0);
    expect(stderr.trim().split("\n")).toEqual([
      ...MEANT,
      "COLOUR in .env is not a variable of Deed",
    ]);
  });

  it("is told in the log of a start that goes on, with the variable that was meant", async () => {
    const names = ["ADMINS", "OIDC_ISSUER_URL", "DNS_SERVERS", "LOGLEVEL", "DATADIR", "COLOUR"];
    const env = Object.fromEntries(names.map((name) => [name, "x"]));
    const service = await startService({ env });
    const told = service
      .output()
      .split("\n")
      .filter((line) => line.includes('"warning":"unknown_variable"'))
      .map((line) => JSON.parse(line).msg);
    await service.stop();
    expect(told).toEqual([
      ...MEANT,
      ...[
        ["OIDC_ISSUER_URL", "OIDC_ISSUER"],
        ["DNS_SERVERS", "DNS_RESOLVERS"],
        ["LOGLEVEL", "LOG_LEVEL"],
        ["DATADIR", "DATA_DIR"],
      ].map(([name, meant]) => `${name} is not a variable of Deed: set ${meant} instead`),
    ]);
  });
});
