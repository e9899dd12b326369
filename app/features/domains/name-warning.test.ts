import { expect, test, vi } from "vitest";
import { accountForEmail } from "#app/core/testing/accounts.ts";
import { testService } from "#app/core/testing/service.ts";
import { addDomain } from "./domains.server.ts";
import { MAX_WAIT_MS, nameWarning } from "./name-warning.server.ts";

const holder = async () => {
  const service = testService();
  const { id } = await accountForEmail(service.ctx, "maria@example.org");
  const about = (domain: string, reference = "") =>
    nameWarning(service.ctx, id, { domain, reference });
  const doubt = async (...typed: Parameters<typeof about>) => (await about(...typed))?.says ?? null;
  return { service, id, about, doubt };
};

test("a word is no domain, but a top-level domain is a public suffix", async () => {
  const { about, doubt } = await holder();
  const guessFor = async (typed: string) => (await about(typed))?.guess;
  for (const typed of ["Acme", " acme. ", "http://acme/path"])
    expect(await guessFor(typed)).toBe("acme.com");
  for (const typed of ["localhost", "com"]) expect(await guessFor(typed)).toBeNull();
  expect(await doubt("acme")).toBe("acme has no dot. Did you mean acme.com?");
  expect(await doubt("https://localhost:3000/")).toMatch(/localhost cannot be proved/);
  // C3.7
  const says =
    "This is a public suffix, like co.uk. Proving it says nothing about the domains under it.";
  for (const suffix of ["com", "co.uk", "github.io"])
    expect([suffix, await doubt(suffix)]).toEqual([suffix, says]);
  await expect(doubt("not a name")).rejects.toMatchObject({ code: "invalid_domain" });
});

test("only what the registry said is told, and not of a domain that the account has", async () => {
  const { service, id, doubt } = await holder();
  service.seeZone = async () => ({ type: "no_delegation" });
  const says = /^The registry lists no nameservers for acme\.com\./;
  expect(await doubt("shop.acme.com")).toMatch(says);
  await addDomain(service.ctx, id, "shop.acme.com");
  expect(await doubt("shop.acme.com")).toBeNull();
  expect(await doubt("shop.acme.com", "cust_1")).toMatch(/^The registry lists no/);
  service.seeZone = async () => ({ type: "unresolvable" });
  expect(await doubt("acme.org")).toBeNull();
});

test("a look-up that takes longer than two seconds says nothing", async () => {
  const { service, doubt } = await holder();
  service.seeZone = () => new Promise(() => {});
  const aborted = vi.spyOn(AbortSignal, "timeout").mockReturnValue(AbortSignal.abort());
  expect(await doubt("acme.com")).toBeNull();
  expect(aborted).toHaveBeenCalledWith(MAX_WAIT_MS);
});
