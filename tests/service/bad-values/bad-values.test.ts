import { execFile, spawnSync } from "node:child_process";
import { chownSync, existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join, resolve } from "node:path";
import { expect, it } from "vitest";
import { EnvironmentError, parseEnvironment } from "#app/environment/env.server.ts";
import { newestSchema } from "../../../db/migrate.ts";
import { says } from "../../contract/sentences.ts";
import { isRoot } from "../../support/command.ts";
import { lacksSharedNode, passOver } from "../../support/lacks.ts";
import { deedCommand } from "../../support/product.ts";
import { closed, freePort, listening, newFolder } from "../../support/service.ts";
import { ROWS, type Row } from "./rows.ts";

/** `npx vitest run --project service tests/service/bad-values -u` writes the table into the page. */
const PAGE = resolve("tests/evidence/bad-values.md");
const TABLE = /(?<=<!-- bad values -->\n).*(?=<!-- \/bad values -->)/s;

const HERE = "/srv/deed";
const NOBODY = 65534;
const isClosed = lacksSharedNode();
const AT_ONCE = 3;
const BAD_SETTING = EnvironmentError.exitCode;
/** A port that is in use replaces 3000. */
const taken = createServer();

const filesIn = (folder: string) => readdirSync(folder, { recursive: true }).sort();

type Outcome = { status: number | null; stdout: string; stderr: string };

const start = (env: Record<string, string>, row: Row, cwd = "/") =>
  new Promise<Outcome>((done) => {
    const options = {
      ...{ cwd, timeout: 60_000, killSignal: "SIGKILL" as const },
      env: { ...closed(), HOST: "127.0.0.1", ...env },
      ...(row.isPlainUser && isRoot && { uid: NOBODY, gid: NOBODY }),
    };
    const child = execFile(deedCommand(), ["serve"], options, (_, stdout, stderr) =>
      done({ status: child.exitCode, stdout, stderr }),
    );
  });

/** Most values are refused before anything else is checked, so this needs no start for each. */
function refusalOf(env: Record<string, string>): Outcome | null {
  try {
    parseEnvironment(env);
    return null;
  } catch (error) {
    if (!(error instanceof EnvironmentError)) throw error;
    return { status: BAD_SETTING, stdout: "", stderr: error.problems.join("\n") };
  }
}

const cell = (text: string) => text.replaceAll("|", "\\|");

const given = ({ env, note }: Row) =>
  `${Object.entries(env)
    .map(([name, value]) => `\`${name}=${value.length > 60 ? "…" : value}\``)
    .join(", ")}${note ? ` (${note})` : ""}`;

/** The row of the table, from the service's output; null if this machine cannot try it. */
async function tried(row: Row, takenPort: number): Promise<string | null> {
  const folder = newFolder();
  if (isRoot && row.isPlainUser) chownSync(folder, NOBODY, NOBODY);
  try {
    const reason =
      row.isPlainUser && isClosed ? "a Node that other users may run" : row.prepare?.(folder);
    if (reason) return passOver(`${reason} (${given(row)})`) && null;
    const isTaken = row.env.PORT === "3000";
    const here = Object.fromEntries(
      Object.entries(row.env).map(([name, value]) => [name, value.replace(HERE, folder)]),
    );
    const lines = Object.entries(here).map((pair) => pair.join("="));
    if (row.isInDotEnv) writeFileSync(join(folder, ".env"), lines.join("\n"));
    const before = filesIn(folder);
    const refused = row.isPlainUser || row.isInDotEnv ? null : refusalOf(here);
    const printing =
      refused ??
      start(
        {
          DATA_DIR: join(folder, "data"),
          ...(!here.PORT && { PORT: String(await freePort()) }),
          ...(!row.isInDotEnv && here),
          ...(isTaken && { PORT: String(takenPort) }),
        },
        row,
        row.isInDotEnv ? folder : undefined,
      );
    const { status, stdout, stderr } = await printing;
    const shown = given(row);
    expect([shown, status, stdout]).toEqual([shown, BAD_SETTING, ""]);
    expect([shown, filesIn(folder)]).toEqual([shown, before]);
    const printed = stderr
      .trimEnd()
      .replaceAll(folder, HERE)
      .replaceAll(String(takenPort), "3000")
      .replace(/\bschema (\d+)/g, (_, found) => `schema ${11 + Number(found) - newestSchema()}`)
      .replaceAll(`user ${isRoot ? NOBODY : process.getuid?.()}`, `user ${NOBODY}`);
    for (const line of printed.split("\n")) {
      expect(line).toMatch(/^[A-Z_]+ (must|is not a variable of Deed)/);
      expect(Object.keys(row.env).some((name) => printed.includes(name))).toBe(true);
    }
    const said = printed.split("\n").map((line) => `\`${cell(line)}\``);
    return `| ${cell(shown)} | ${said.join("<br>")} |`;
  } finally {
    const disk = join(folder, "disk");
    if (existsSync(disk)) spawnSync("umount", ["-l", disk]);
  }
}

it(says("C21.3", "C21.13"), async () => {
  const takenPort = Number(new URL(await listening(taken)).port);
  const page = readFileSync(PAGE, "utf8");
  const lines: string[] = [];
  const waiting = [...ROWS.entries()];
  const work = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const [index, row] = next;
      const start = `| ${cell(given(row))} |`;
      const kept = page.split("\n").find((line) => line.startsWith(start));
      lines[index] = (await tried(row, takenPort)) ?? kept ?? `${start} not tried |`;
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  taken.close();
  const table = ["| Given | Printed |", "|---|---|", ...lines, ""].join("\n");
  await expect(page.replace(TABLE, () => table)).toMatchFileSnapshot(PAGE);
});
