import { mkdtempSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { runCompiled } from "./code-cache.mjs";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "deed-compiled-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const said = globalThis as { said?: unknown };
const kept = () => readdirSync(folder).filter((name) => name.endsWith(".v8"));

/** Writes a program that says `word`, at a time of its own, and runs it. */
function run(word: string, second: number): () => void {
  const path = join(folder, "program.cjs");
  writeFileSync(path, `globalThis.said = require("node:path").basename(__filename) + "${word}";`);
  utimesSync(path, second, second);
  return runCompiled(path);
}

it("runs a file as require would, and from the kept code the same", () => {
  for (let start = 0; start < 3; start++) {
    said.said = null;
    const keep = run("one", 1);
    expect(said.said).toBe("program.cjsone");
    keep();
    expect(kept()).toHaveLength(1);
  }
});

it("reads UTF-8", () => {
  run("bücher", 1);
  expect(said.said).toBe("program.cjsbücher");
});

it("runs what the file holds now, though it be as long as before", () => {
  run("one", 1)();
  run("two", 2)();
  expect(said.said).toBe("program.cjstwo");
});

it("keeps the code anew where what was kept is of no use, and leaves it alone where it is", () => {
  const code = join(folder, "program.cjs.1000.v8");
  writeFileSync(code, "not V8's");
  // A word of its own: V8 looks at no kept code for a source it has compiled in this process.
  run("six", 1)();
  expect(said.said).toBe("program.cjssix");
  const { size, mtimeMs } = statSync(code);
  expect(size).toBeGreaterThan(100);
  run("six", 1)();
  expect(statSync(code).mtimeMs).toBe(mtimeMs);
});
