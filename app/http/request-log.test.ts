import { describe, expect, it } from "vitest";
import { keyText, newId, newKeySecret, newSlug } from "#app/core/ids.server.ts";
import { loggedTarget } from "./log.server.ts";

const slug = newSlug();
const encoded = [...slug].map((letter) => `%${letter.charCodeAt(0).toString(16)}`).join("");

describe("loggedTarget", () => {
  it.each([
    `/p/${slug}`,
    `/P/${slug.toUpperCase()}`,
    `//p/${slug}`,
    `/%70/${encoded}`,
    `/p%2f${slug}`,
    `/p/${slug}).`,
    `/p/x${slug}`,
    `/m/x${slug}`,
    `/h/${slug}?_data=routes%2Fh.%24slug`,
    `/api/proofs/${slug}/`,
    `/api/claims/${newId("clm", 0)}/proof_links/${slug}/revoke`,
    `/sign-in?next=%2Fh%2F${slug}`,
    `/zones/${slug}`,
    `/nowhere/${slug.slice(0, 20)}`,
  ])("hides the slug of %s", (url) => {
    const line = loggedTarget(url).toLowerCase();
    expect(line).toContain("*");
    expect(line).not.toContain(slug.slice(0, 8));
    expect(line).not.toContain(encoded.slice(0, 12));
  });

  it.each(["/api/gate/", "/api//gate/", "/API/g%61te/"])("hides all of a key at %s", (before) => {
    const line = loggedTarget(before + keyText(newId("key", Date.now()), newKeySecret()));
    expect(line).toMatch(/gate\/\*$/i);
  });

  it.each(["/api/domains?key=", "/", "/api/domains/%20"])(
    "hides the secret of an API key at %s, not its id",
    (before) => {
      const id = newId("key", Date.now());
      const key = keyText(id, newKeySecret());
      const line = loggedTarget(before + key);
      expect(line).toContain(`deed_${id}_*`);
      expect(line).not.toContain(key.slice(-30));
    },
  );

  it.each([
    ["/check?name=a.example&type=TXT&value=one%26two", "/check?name=a.example&type=TXT&value=*"],
    [`/zones/service_v1_${"4f".repeat(20)}`, "/zones/service_v1_*"],
    [`/api/zones/service_v1_${"4f".repeat(20)}.com`, "/api/zones/service_v1_*.com"],
  ])("hides what was to be checked in %s", (url, line) => expect(loggedTarget(url)).toBe(line));

  it.each([
    "/",
    "/api/zones/b%C3%BCcher.example",
    `/api/claims/${newId("clm", Date.now())}`,
    `/domains/${newId("dom", Date.now())}?archived=true`,
    "/build/_assets/tailwind-AB12CD.css",
    "/%",
  ])("leaves %s as it is", (url) => expect(loggedTarget(url)).toBe(url));
});
