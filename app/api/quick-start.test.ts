import { describe, expect, it } from "vitest";
import { testApp } from "#app/auth/testing.ts";
import { DIAGNOSIS_CODES } from "#app/dns/verdict/diagnosis.ts";
import { ERRORS } from "#app/services/errors.server.ts";
import { Diagnosis } from "#app/services/resources.ts";
import { diagnosisEntries, errorEntries } from "#app/services/screens/catalogue.server.ts";
import { quickStart } from "./quick-start.server.ts";
import { reference } from "./reference.server.ts";
import { typeText } from "./schema-text.ts";
import { ENDPOINTS } from "./table.server.ts";

describe("the quick start", () => {
  const steps = () => quickStart(testApp({ BASE_URL: "https://deed.example" }));

  it("calls endpoints that are there, by their methods", () => {
    const calls = steps().flatMap(({ curl }) => {
      const path = /https:\/\/deed\.example(\S+)/.exec(curl)?.[1];
      return path ? [{ path, method: /-X (\w+)/.exec(curl)?.[1] ?? "GET" }] : [];
    });
    expect(calls.length).toBeGreaterThan(5);
    for (const { path, method } of calls) {
      const known = ENDPOINTS.some(
        (endpoint) =>
          endpoint.method === method &&
          new RegExp(`^${endpoint.path.replace(/:\w+/g, "[^/]+")}$`).test(path),
      );
      expect(known, `${method} ${path}`).toBe(true);
    }
  });

  it("sends bodies that their endpoints take", () => {
    for (const { curl } of steps()) {
      const body = /-d '(.*)'/.exec(curl)?.[1];
      const path = /https:\/\/deed\.example(\S+)/.exec(curl)?.[1];
      const endpoint = ENDPOINTS.find((one) => one.path === path && one.method === "POST");
      if (body) expect(endpoint?.body?.safeParse(JSON.parse(body)).success).toBe(true);
    }
  });
});

describe("the catalogues", () => {
  it("have every error and every diagnosis", () => {
    expect(errorEntries().map(({ code }) => code)).toEqual(Object.keys(ERRORS));
    expect(diagnosisEntries().map(({ code }) => code)).toEqual([...DIAGNOSIS_CODES]);
  });

  it("show diagnoses as the API sends them", () => {
    for (const { example } of diagnosisEntries()) {
      expect(Diagnosis.safeParse(example).error).toBeUndefined();
      expect(example.fix).not.toBe("");
    }
  });
});

describe("the reference", () => {
  it("has every endpoint once, with its answers", () => {
    const entries = reference(testApp()).groups.flatMap(({ entries }) => entries);
    expect(entries).toHaveLength(ENDPOINTS.length);
    for (const { answers } of entries) expect(answers.length).toBeGreaterThan(0);
  });

  it("says a schema in a few words", () => {
    expect(typeText({ anyOf: [{ $ref: "#/components/schemas/Claim" }, { type: "null" }] })).toBe(
      "Claim or null",
    );
    expect(typeText({ type: "integer", minimum: 1, maximum: 100, default: 25 })).toBe(
      "integer, 1 to 100, default 25",
    );
    expect(typeText({ type: "array", items: { enum: ["a", "b"] } })).toBe("array of a | b");
  });
});
