import { DIAGNOSIS_CODES } from "@deed/dns/verdict/diagnosis.ts";
import { PANELS } from "@deed/dns/words/providers.ts";
import { expect } from "vitest";
import { ENDPOINTS } from "#app/endpoints.server.ts";
import { openApiDocument, pathTemplate } from "#app/features/docs/openapi.server.ts";
import { productVersion } from "../support/product.ts";
import { contract } from "./kit.ts";
import { says } from "./sentences.ts";

const { it, target } = contract();

it(says("C21.1"), async ({ stranger }) => {
  const { status, body } = await stranger.get("/api/health");
  expect(status).toBe(200);
  const { version } = productVersion();
  expect(body).toMatchObject({ status: "ok", version, database: "ok", worker: "running" });
  for (const header of ["X-Forwarded-For", "Forwarded", "Via", "X-Real-IP"]) {
    const headers = { [header]: "198.51.100.7" };
    const passed = await stranger.request("GET", "/api/health", { headers });
    expect([passed.status, passed.body]).toEqual([200, { status: "ok", reason: null }]);
  }
});

it(says("C21.2"), async () => {
  expect((await target().stranger().get("/metrics")).status).toBe(404);
});

it(says("C20.1", "C22.1"), async () => {
  const { body } = await target().stranger().get("/api/openapi.json");
  const settings = { baseUrl: target().url, docsUrl: `${target().url}/docs` };
  expect(body).toEqual(JSON.parse(JSON.stringify(openApiDocument(ENDPOINTS, settings))));
  expect(body).toMatchObject({ openapi: "3.1.0", info: { version: "0.1.0" } });
  const older = await target().stranger().get("/api/openapi-3.0.json");
  expect(older.body).toEqual(
    JSON.parse(JSON.stringify(openApiDocument(ENDPOINTS, settings, "3.0.3"))),
  );
  for (const path of Object.keys((body as { paths: object }).paths))
    expect(path).not.toMatch(/^\/api\/v\d/);
});

it(says("C20.2"), async ({ stranger }) => {
  // tests/examples/plain.test.ts types the quick start.
  const old = await stranger.get("/docs/api/quick-start");
  expect([old.status, old.headers.get("Location")]).toEqual([301, "/docs/integrate"]);
  const read = async (path: string) => (await stranger.get(path)).text;
  const index = await read("/docs/api");
  const sections = await Promise.all(
    [...new Set(index.match(/\/docs\/api\/[\w-]+(?=#)/g))].map(read),
  );
  for (const { method, path } of ENDPOINTS)
    for (const html of [index, sections.join("")])
      expect(html.replace(/<[^>]*>/g, "")).toContain(`${method} ${pathTemplate(path)}`);
  const diagnoses = await stranger.get("/docs/diagnoses");
  for (const code of DIAGNOSIS_CODES) expect(diagnoses.text).toContain(`id="${code}"`);
});

// tests/service/site.test.ts finds every link of these pages.
it(says("C20.3"), async ({ stranger }) => {
  const statusOf = async (path: string) => (await stranger.get(`/docs/${path}`)).status;
  for (const code of DIAGNOSIS_CODES) expect(await statusOf(`diagnoses/${code}`), code).toBe(200);
  for (const id of Object.keys(PANELS)) expect(await statusOf(`providers/${id}`), id).toBe(200);
  for (const path of ["diagnoses/none", "providers/none", "api/none", "none"])
    expect(await statusOf(path), path).toBe(404);
});

it(says("C20.4"), async ({ stranger }) => {
  const links = new Set(["/docs.md"]);
  for (const link of links) {
    const { status, text, headers } = await stranger.get(link.replace(/#.*/, ""));
    expect([link, status]).toEqual([link, 200]);
    expect(headers.get("Content-Type")).toBe("text/markdown; charset=utf-8");
    expect(text).toMatch(/^# \S/);
    expect(text.replace(/^```.*?^```$/gms, "")).not.toMatch(/<\/?(?:p|a|li|h\d|td|pre|div)\b/);
    for (const [, found = ""] of text.matchAll(/\]\((\/docs[^)#]*)/g)) links.add(found);
  }
  const list = await stranger.get("/llms.txt");
  const listed = [...list.text.matchAll(/\]\((\/docs[^)]*)\)/g)].map(([, link]) => link);
  const many = /\/docs\/(?:providers|diagnoses|api)\/./;
  expect(listed.sort()).toEqual([...links].filter((link) => !many.test(link)).sort());
  const { text } = await stranger.get("/docs/test-mode.md");
  expect(text).toContain("\n| `proved.test` | `proved` |");
  expect(text).toContain("\n```sh\n");
  expect((await stranger.get("/docs/none.md")).status).toBe(404);
});
