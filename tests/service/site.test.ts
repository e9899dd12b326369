import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, globSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { beforeAll, expect, it } from "vitest";
import { newFolder } from "../support/service.ts";

/** The folder from `npm run site`, which any host can serve. */
const site = join(newFolder(), "site");
beforeAll(() => {
  execFileSync(process.execPath, ["scripts/site.mjs", site]);
});

const pages = () => globSync(join(site, "**/*.html"));
const read = (file: string) => readFileSync(file, "utf8");

// C20.3
it("has no link that leads nowhere, from wherever it is served", () => {
  expect(pages().length).toBeGreaterThan(60);
  for (const page of [...pages(), ...globSync(join(site, "**/*.{md,txt}"))]) {
    const text = read(page).replace(/^```.*?^```$/gms, "");
    const links = page.endsWith(".html")
      ? [...text.matchAll(/ (?:href|src|srcset)="([^"]*)"/g)]
      : [...text.matchAll(/\[[^\]]*\]\(([^)]*)\)/g)];
    for (const [, link = ""] of links) {
      if (/^(?:https?|mailto):/.test(link)) continue;
      const [path = "", fragment] = link.split("#");
      const place = path ? join(dirname(page), path) : page;
      const what = `${relative(site, page)}: ${link}`;
      expect([what, existsSync(place)]).toEqual([what, link[0] !== "/"]);
      if (fragment && place.endsWith(".html"))
        expect(read(place), what).toContain(`id="${fragment}"`);
    }
  }
});

it("names no key of the installation that it was made with", () => {
  for (const [end, words] of [
    ["html", "<code>&lt;its thumbprint&gt;</code>"],
    ["md", "`<its thumbprint>`"],
  ]) {
    // A key with a hyphen is kept from breaking there.
    const page = read(join(site, `docs/how-to-check.${end}`)).replaceAll(/<.?span[^>]*>/g, "");
    expect(page).toContain(`signs with the key ${words}`);
  }
});

it("ends with the installation when it cannot write", () => {
  const folder = newFolder();
  writeFileSync(join(folder, "file"), "");
  const TMPDIR = join(folder, "tmp");
  mkdirSync(TMPDIR);
  const { status } = spawnSync(process.execPath, ["scripts/site.mjs", join(folder, "file/site")], {
    stdio: "ignore",
    env: { ...process.env, TMPDIR },
  });
  expect([status, readdirSync(TMPDIR)]).toEqual([1, []]);
});

it("leaves a folder alone that is something else", () => {
  const folder = newFolder();
  writeFileSync(join(folder, "thesis.txt"), "mine");
  const make = () =>
    execFileSync(process.execPath, ["scripts/site.mjs", folder], { stdio: "pipe" });
  expect(make).toThrow("no site");
  expect(read(join(folder, "thesis.txt"))).toBe("mine");
});

it("needs no script and no installation", () => {
  for (const page of pages()) {
    const text = read(page);
    const scripts = [...text.matchAll(/<script[^>]*>/g)].map(([tag]) => tag);
    expect(scripts.filter((tag) => !tag.includes("copy-code.js"))).toEqual([]);
    expect([page, text.match(/<form|href="[^"]*\/sign-in/g)]).toEqual([page, null]);
  }
});

it("has the pictures, the API with its examples, and both packages", () => {
  const front = read(join(site, "index.html"));
  for (const name of ["card", "path", "proof", "check"])
    expect(front).toContain(`pictures/${name}.light.png`);
  expect(read(join(site, "docs/api/domains.html"))).toContain("Answer: 201");
  expect(JSON.parse(read(join(site, "api/openapi.json")))).toHaveProperty("paths");
  expect(globSync(join(site, "deed-{client,dns}-*.tgz"))).toHaveLength(2);
});
