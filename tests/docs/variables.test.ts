import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { VARIABLES } from "#app/ops/environment/env.server.ts";

const namesIn = (file: string, pattern: RegExp) =>
  [...readFileSync(file, "utf8").matchAll(pattern)].map(([, name = ""]) => name);

const [table = ""] = readFileSync("docs/operate/configuration.md", "utf8").split("## Secrets");

it("docs/operate/configuration.md has a row for every variable, and for no other", () => {
  const names = [...table.matchAll(/^\| `([A-Z_]+)` \|/gm)].map(([, name]) => name);
  expect(names.toSorted()).toEqual(VARIABLES.toSorted());
});

it(".env.example has every variable that an operator sets", () => {
  const names = namesIn(".env.example", /^#? ?([A-Z_]+)=/gm);
  expect(VARIABLES.filter((name) => name !== "NODE_ENV" && !names.includes(name))).toEqual([]);
});
