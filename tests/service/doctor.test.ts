import { spawnSync } from "node:child_process";
import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { lacksSharedNode } from "../support/lacks.ts";
import { deedCommand } from "../support/product.ts";

const NOBODY = 65534;
const isRoot = process.getuid?.() === 0;

type Finding = { subject: string; status: string; text: string; advice: string };

it.skipIf(lacksSharedNode())("says of a data folder that is closed to it what to do", () => {
  const folder = mkdtempSync(join(tmpdir(), "deed-doctor-"));
  const hints = join(folder, "named.root");
  writeFileSync(hints, ". 3600000 NS a.example.\na.example. 3600000 A 127.0.0.199\n");
  const data = join(folder, "data");
  mkdirSync(data);
  if (isRoot) chownSync(data, NOBODY, NOBODY);
  chmodSync(data, 0);
  chmodSync(folder, 0o755);
  const { stdout } = spawnSync(deedCommand(), ["doctor", "--json"], {
    cwd: folder,
    env: {
      NODE_ENV: "production",
      PATH: process.env.PATH,
      DATA_DIR: data,
      DNS_ROOT_HINTS: hints,
      DNS_RESOLVERS: "",
    },
    encoding: "utf8",
    timeout: 60_000,
    // No mode keeps root out.
    ...(isRoot && { uid: NOBODY, gid: NOBODY }),
  });
  rmSync(folder, { recursive: true });
  const { findings } = JSON.parse(stdout) as { findings: Finding[] };
  for (const subject of ["Disk", "Files", "Database"])
    expect(findings.find((one) => one.subject === subject)).toMatchObject({
      status: "broken",
      text: expect.stringContaining("is closed to user"),
      advice: expect.stringContaining("Run this as the user that runs Deed"),
    });
});
