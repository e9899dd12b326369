import { createPublicKey, verify } from "node:crypto";
import { describe, expect, it } from "vitest";
import { newConnectKey } from "#app/connect-key.server.ts";
import { applyUrl, isOfTemplate } from "./apply-url.ts";
import { connectSigner } from "./signer.ts";

const connect = connectSigner(newConnectKey());
const settings = { challengeLabel: "_service-challenge", tokenPrefix: "service_v1_", connect };
const place = {
  label: "_service-challenge",
  domain: "shop.acme.com",
  zone: "acme.com",
  token: "service_v1_00ff",
  provider: "other",
} as const;
const APPLY = "https://panel.host.example/v2/domainTemplates/providers/p/services/s/apply";
const trip = { returnTo: "https://deed.example.org/claims/clm_1/connected", state: "s-t" };

const published = () => {
  const der = connect.keyRecords.map((text) => text.replace(/^.*,d=/, "")).join("");
  return createPublicKey({ key: Buffer.from(der, "base64"), format: "der", type: "spki" });
};

describe("the URL of a set-up", () => {
  it("has the record's variable part, and is signed with the key that the records publish", () => {
    const url = new URL(applyUrl(APPLY, place, settings, trip));
    expect(Object.fromEntries(url.searchParams)).toEqual({
      domain: "acme.com",
      host: "shop",
      redirect_uri: trip.returnTo,
      state: "s-t",
      token: "00ff",
      sig: expect.any(String),
      key: connect.keyLabel,
    });
    const signed = url.search.slice(1).replace(/&sig=.*$/, "");
    const signature = Buffer.from(url.searchParams.get("sig") ?? "", "base64");
    expect(verify("RSA-SHA256", Buffer.from(signed), published(), signature)).toBe(true);
    expect(verify("RSA-SHA256", Buffer.from(`${signed}0`), published(), signature)).toBe(false);
  });

  it("has no host at the zone itself", () => {
    const url = applyUrl(APPLY, { ...place, domain: "acme.com" }, settings, trip);
    expect(url).toContain("apply?domain=acme.com&redirect_uri=");
  });

  it("fits records of one string each", () => {
    expect(connect.keyRecords.length).toBe(2);
    for (const text of connect.keyRecords) expect(text.length).toBeLessThanOrEqual(255);
    expect(connect.keyLabel).toMatch(/^_deed-[0-9a-f]{8}$/);
  });
});

describe("the template makes the record", () => {
  it.each([
    [{}, true],
    [{ zone: null }, false],
    [{ zone: "_service-challenge.shop.acme.com" }, false],
    [{ zone: "op.acme.com" }, false],
    [{ label: "_older" }, false],
    [{ token: "older_00ff" }, false],
  ])("%j: %s", (change, expected) => {
    expect(isOfTemplate({ ...place, ...change }, settings)).toBe(expected);
  });
});
