import { DIAGNOSIS_CODES } from "@deed/dns/verdict/diagnosis.ts";
import { describe, expect, it } from "vitest";
import { diagnosisPage, providerLinks, providerPage } from "./guides.ts";

const WORDS = { challengeLabel: "_service-challenge", tokenPrefix: "service_v1_" };

const fixAt = (code: string, provider: string) =>
  diagnosisPage(code, WORDS)?.atProviders.find(({ id }) => id === provider)?.fix ?? "";

describe("the page of a provider", () => {
  it("exists for each provider, with the fields of its panel", () => {
    for (const { id, title } of providerLinks())
      expect(providerPage(id, { ...WORDS, challengeLabel: "_challenge" })).toMatchObject({
        title,
        fields: { host: expect.stringMatching(/./) },
      });
    expect(providerLinks().at(-1)?.id).toBe("other");
  });

  it("says what to type with the label of this service", () => {
    const page = providerPage("namecheap", { ...WORDS, challengeLabel: "_challenge" });
    expect(page?.examples.map(({ host, name }) => [host, name])).toEqual([
      ["_challenge", "_challenge.acme.com"],
      ["_challenge.shop", "_challenge.shop.acme.com"],
    ]);
    expect(page?.appends).toBe("always");
    expect(page?.publishing).toBe("1 hour");
  });

  it("puts quotation marks around the value only where they are wanted", () => {
    expect(providerPage("route53", { ...WORDS, challengeLabel: "_x" })?.value).toMatch(
      /^"service_v1_.*"$/,
    );
    expect(providerPage("godaddy", { ...WORDS, challengeLabel: "_x" })?.value).toMatch(
      /^service_v1_\w+$/,
    );
  });

  it("does not exist for other ids", () => {
    for (const id of ["", "nobody", "toString", "__proto__"])
      expect(providerPage(id, { ...WORDS, challengeLabel: "_x" })).toBeNull();
  });
});

it("never shows the default label or prefix where the installation has others", () => {
  const own = { challengeLabel: "_prove", tokenPrefix: "acme-" };
  const pages = [
    ...providerLinks().map(({ id }) => providerPage(id, own)),
    ...DIAGNOSIS_CODES.map((code) => diagnosisPage(code, own)),
  ];
  const text = JSON.stringify(pages);
  expect(text).toMatch(/_prove\.acme\.com.*acme-9f3a/);
  expect(text.match(/.{0,20}service[-_](?:challenge|v1)/)).toBeNull();
});

describe("the page of a diagnosis", () => {
  it("exists for each code, with commands to see it", () => {
    for (const code of DIAGNOSIS_CODES) {
      const page = diagnosisPage(code, WORDS);
      expect(page?.lessons.length).toBeGreaterThan(0);
      for (const { command } of page?.lessons ?? []) expect(command).toMatch(/^dig /);
      expect(page?.example).toMatchObject({ code, cause: expect.stringMatching(/./) });
    }
    expect(diagnosisPage("constructor", WORDS)).toBeNull();
  });

  it("has what to do at each provider, if that differs", () => {
    expect(fixAt("domain_appended", "godaddy")).toMatch(/Name: `_service-challenge`$/);
    expect(fixAt("domain_appended", "namecheap")).toContain("Host");
    expect(diagnosisPage("negative_cache", WORDS)?.atProviders).toEqual([]);
    expect(diagnosisPage("servfail", WORDS)?.atProviders).toEqual([]);
  });
});
