import { expect } from "vitest";
import { contract } from "../contract/kit.ts";

/** Checks what docs/security.md says about Remix 2: none of its unfixed features is enabled here. */
const { it, target } = contract();

/** The longest request line that Node accepts. */
const LENGTH = 15_500;
const repeated = (part: string) => part.repeat(LENGTH / part.length);
const settled = (page: string) => page.replaceAll(/nonce="[^"]+"|next=[^"]+/g, "");

/** A page that sends script. */
const SCRIPTED = "/domains";
const manifestOf = (page: string) => /\/build\/manifest-([0-9A-F]+)\.js/.exec(page);

it("has no manifest endpoint: its path is nobody's, whatever the query", async ({
  client,
  stranger,
}) => {
  const [, version] = manifestOf((await client.get(SCRIPTED)).text) ?? [];
  expect(version).toMatch(/^[0-9A-F]{8}$/);
  const nobodys = await stranger.get("/nowhere");
  expect(nobodys.status).toBe(404);
  for (const query of [
    "",
    "?",
    `?version=${version}`,
    `?version=${version}&p=${repeated("/a")}`,
    `?${repeated("p&")}`,
    "?_data=root",
    "?index",
  ]) {
    const answer = await stranger.get(`/__manifest${query}`);
    expect([query.slice(0, 60), answer.status]).toEqual([query.slice(0, 60), 404]);
    expect(settled(answer.text)).toBe(settled(nobodys.text));
  }
  const posted = await stranger.request("POST", "/__manifest?p=/a", {
    headers: { Origin: target().url },
  });
  expect(posted.status).toBe(404);
});

it("hands the browser every route at once, so that none is asked for later", async ({
  client,
  stranger,
}) => {
  const [path = ""] = manifestOf((await client.get(SCRIPTED)).text) ?? [];
  const manifest = await stranger.get(path);
  expect(manifest.status).toBe(200);
  for (const route of ["root", "routes/domains.$id", "routes/domains._index", "routes/sign-out"])
    expect(manifest.text).toContain(`"${route}":{`);
});

it("serves no single fetch", async ({ stranger }) => {
  for (const path of ["/_root.data", "/sign-in.data", "/zones.data", "/sign-in.data?_routes=root"])
    expect([path, (await stranger.get(path)).status]).toEqual([path, 404]);
});

it("ignores Remix's internal request headers", async ({ stranger }) => {
  const page = settled((await stranger.get("/verify")).text);
  for (const name of [
    "X-Remix-SPA-Mode",
    "X-React-Router-SPA-Mode",
    "X-React-Router-Prerender-Data",
  ]) {
    const answer = await stranger.request("GET", "/verify", { headers: { [name]: "yes" } });
    expect([name, answer.status, settled(answer.text)]).toEqual([name, 200, page]);
  }
});
