import { DIAGNOSIS_CODES } from "@deed/dns/verdict/diagnosis.ts";
import { describe, expect, it } from "vitest";
import { diagnosisPage, providerLinks, providerPage } from "./guides.ts";

const WORDS = { challengeLabel: "_service-challenge", tokenPrefix: "service_v1_" };

const fixAt = (code: string, provider: string) =>
  diagnosisPage(code, WORDS)?.atProviders.find(({ id }) => id === provider)?.fix ?? "";

describe("the page of a provider", () => {
  const own = { ...WORDS, challengeLabel: "_challenge" };

  it("exists for each provider, with the fields of its panel, and for no other id", () => {
    for (const { id, title } of providerLinks()) {
      const fields = { host: expect.stringMatching(/./) };
      expect(providerPage(id, own)).toMatchObject({ title, fields });
    }
    expect(providerLinks().at(-1)?.id).toBe("other");
    for (const id of ["", "nobody", "toString", "__proto__"])
      expect(providerPage(id, own)).toBeNull();
  });

  it("says what to type with the label of this service, in quotation marks where they are wanted", () => {
    expect(providerPage("namecheap", own)).toMatchObject({
      appends: "always",
      publishing: "1 hour",
      examples: [
        { host: "_challenge", name: "_challenge.acme.com" },
        { host: "_challenge.shop", name: "_challenge.shop.acme.com" },
      ],
    });
    expect(providerPage("route53", own)?.value).toMatch(/^"service_v1_.*"$/);
    expect(providerPage("godaddy", own)?.value).toMatch(/^service_v1_\w+$/);
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
