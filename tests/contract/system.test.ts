import { describe, expect, it } from "vitest";
import { openApiDocument, pathTemplate } from "#app/api/openapi.server.ts";
import { ENDPOINTS } from "#app/api/table.server.ts";
import { DIAGNOSIS_CODES } from "#app/dns/verdict/diagnosis.ts";
import { targetService } from "./kit.ts";
import { says } from "./sentences.ts";

const target = targetService();

it(says("C21.1"), async () => {
  const { status, body } = await target().stranger().get("/api/health");
  expect(status).toBe(200);
  expect(body).toMatchObject({
    status: "ok",
    reason: null,
    version: expect.stringMatching(/^\d+\.\d+\.\d+$/),
    role: expect.any(String),
    database: "ok",
    worker: "running",
    clock: { trusted: true, waitingFor: null },
    dns: expect.stringMatching(/^(ok|unknown)$/),
    mail: expect.stringMatching(/^(ok|unknown)$/),
  });
});

it(says("C21.2"), async () => {
  expect((await target().stranger().get("/metrics")).status).toBe(404);
});

it(says("C21.7"), async () => {
  const { status, body } = await target().stranger().get("/api/health/live");
  expect([status, body]).toEqual([200, { status: "ok" }]);
});

describe("the description of itself", () => {
  it(says("C20.1", "C22.1"), async () => {
    const { body } = await target().stranger().get("/api/openapi.json");
    const settings = { baseUrl: target().url, docsUrl: `${target().url}/docs` };
    expect(body).toEqual(JSON.parse(JSON.stringify(openApiDocument(ENDPOINTS, settings))));
    expect(body).toMatchObject({ openapi: "3.1.0", info: { version: "0.1.0" } });
    for (const path of Object.keys((body as { paths: object }).paths))
      expect(path).not.toMatch(/^\/api\/v\d/);
  });

  it(says("C20.2"), async () => {
    const stranger = target().stranger();
    const start = await stranger.get("/docs");
    for (const text of ["curl", "fetch(", `${target().url}/api/claims`])
      expect(start.text).toContain(text);
    const { text } = await stranger.get("/docs/api");
    const plain = text.replaceAll("<!-- -->", "");
    for (const { method, path } of ENDPOINTS)
      expect(plain).toContain(`${method} ${pathTemplate(path)}`);
    const diagnoses = await stranger.get("/docs/diagnoses");
    for (const code of DIAGNOSIS_CODES) expect(diagnoses.text).toContain(`id="${code}"`);
  });
});
