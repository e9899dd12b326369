import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { VENDORS, vendorOf } from "./vendors.ts";

const SOURCES = join(import.meta.dirname, "../../../tests/evidence/providers.md");

describe("vendors", () => {
  it.each([
    ["GitHub", "_github-challenge-acme-org.acme.com", "a1b2c3d4e5"],
    ["GitHub", "_github-pages-challenge-acme.acme.com", "d78706cadcd67727da6b36d083a466"],
    ["Google", "acme.com", "google-site-verification=lVXLFmpqKPmkAo0hBsKd1nVzOtxEQ-rNgFb7yqJJtSM"],
    ["Microsoft", "acme.com", "MS=ms12345678"],
    ["Vercel", "_vercel.acme.com", "vc-domain-verify=www.acme.com,2dcb76b"],
    ["Netlify", "subdomain-owner-verification.acme.com", "d3a8c538f99fdbbc4e42267f70c0e67"],
    ["Cloudflare", "_cf-custom-hostname.docs.acme.com", "06da37c6-9b2e-474b-afde-478ba843baf7"],
    ["AWS", "_3f0c.acme.com", "_9d1e.djqtsrsxkq.acm-validations.aws"],
    ["WorkOS", "_workos-challenge.acme.com", "3CVZxo4HgvSiYRKlV4RdOWwWl"],
    ["Atlassian", "acme.com", "atlassian-domain-verification=SQsgJ5h/FqwMTXuSG"],
    ["Bluesky", "_atproto.acme.com", "did=did:plc:z72i7hdynmk6r22z27h6tvur"],
    ["Keybase", "acme.com", "keybase-site-verification=KcW7SfZNckcQxOunGDM_ukMY50f3SNovxVDgxAB"],
    ["the MCP registry", "acme.com", "v=MCPv1; k=ed25519; p=abc="],
    [
      "a certificate authority (ACME)",
      "_acme-challenge.acme.com",
      "gfj9Xq_Rg85nM0kz3YwUt1bVd7cL2eHs6AoPi4xNQlE",
    ],
    ["Apple", "acme.com", "apple-domain-verification=0RaNdOm1LeTtErS2"],
    ["Meta", "acme.com", "facebook-domain-verification=gx5s19fp3o8aczby6a22clfhzm03as"],
    ["GitLab", "_gitlab-pages-verification-code.acme.com", "gitlab-pages-verification-code=f6fd"],
  ])("recognises a record of %s at %s", (vendor, name, value) => {
    expect(vendorOf({ name, values: [value] })).toMatchObject({ name: vendor });
  });

  it.each([
    ["acme.com", "v=spf1 -all"],
    ["www.acme.com", "app.host.com"],
    ["_dmarc.acme.com", "v=DMARC1; p=none"],
  ])("takes none for the vendor of %s %s", (name, value) => {
    expect(vendorOf({ name, values: [value] })).toBeNull();
  });

  it("has at most 25, each with a source and a date", () => {
    const sources = readFileSync(SOURCES, "utf8").split("## Vendors of records")[1] ?? "";
    expect(VENDORS.length).toBeLessThanOrEqual(25);
    expect(sources).toMatch(/20\d\d-\d\d-\d\d/);
    for (const { vendor } of VENDORS) expect(sources).toContain(`| ${vendor.name} |`);
  });
});
