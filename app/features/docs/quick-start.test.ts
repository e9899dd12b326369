import { DIAGNOSIS_CODES, ExplainedDiagnosis } from "@deed/dns/verdict/diagnosis.ts";
import { describe, expect, it } from "vitest";
import { ENDPOINTS } from "#app/endpoints.server.ts";
import { proveDomain } from "#app/features/by-name/api.server.ts";
import { testApp } from "#app/features/sign-in/testing.ts";
import { diagnosisPage } from "./guides.ts";
import { quickStart } from "./quick-start.server.ts";
import { typeText } from "./reference.server.ts";

describe("the quick start", () => {
  const steps = () => quickStart(testApp({ BASE_URL: "https://deed.example" }));

  it("calls existing endpoints with their methods", () => {
    const calls = steps().flatMap(({ curl }) => {
      const path = /https:\/\/deed\.example([^\s"?]+)/.exec(curl)?.[1];
      return path ? [{ path, method: /-X (\w+)/.exec(curl)?.[1] ?? "GET" }] : [];
    });
    expect(calls.length).toBeGreaterThan(4);
    for (const { path, method } of calls) {
      const known = ENDPOINTS.some(
        (endpoint) =>
          endpoint.method === method &&
          new RegExp(`^${endpoint.path.replace(/:\w+/g, "[^/]+")}$`).test(path),
      );
      expect(known, `${method} ${path}`).toBe(true);
    }
  });

  it("sends bodies that the endpoints accept", () => {
    const bodies = steps().flatMap(({ curl }) => /-d '(.*)'/.exec(curl)?.[1] ?? []);
    expect(bodies).toEqual(["{}"]);
    for (const body of bodies)
      expect(proveDomain.body?.safeParse(JSON.parse(body)).success).toBe(true);
  });
});

it("the catalogues show diagnoses as the API returns them", () => {
  for (const code of DIAGNOSIS_CODES) {
    const example = diagnosisPage(code)?.example;
    expect(ExplainedDiagnosis.safeParse(example).error).toBeUndefined();
    expect(example?.fix).not.toBe("");
  }
});

it("the reference summarizes a schema in a few words", () => {
  expect(typeText({ anyOf: [{ $ref: "#/components/schemas/Claim" }, { type: "null" }] })).toBe(
    "Claim or null",
  );
  expect(typeText({ type: "integer", minimum: 1, maximum: 100, default: 25 })).toBe(
    "integer, 1 to 100, default 25",
  );
  expect(typeText({ type: "array", items: { enum: ["a", "b"] } })).toBe("array of a | b");
});
