import { expect, it } from "vitest";
import { call, signedIn } from "#app/api/testing.ts";
import { accountForEmail } from "#app/core/testing/accounts.ts";
import { EVERYTHING, newKeyFor, withKey } from "#app/features/keys/testing.ts";
import { testApp } from "#app/features/sign-in/testing.ts";
import { addDomain } from "./domains.server.ts";

it("C27.14: is all that the filters find, and no formula", async () => {
  const app = testApp();
  const { key } = await newKeyFor(app, await signedIn(app, "mara@acme.com"), EVERYTHING);
  const { id } = await accountForEmail(app, "mara@acme.com");
  for (let index = 0; index < 101; index++) await addDomain(app, id, `a${index}.example`);
  await addDomain(app, id, "b.example", { reference: '=1+"x",2' });
  const asked = withKey(key, { headers: { Accept: "text/csv" } });
  const csv = (query = "") => call(app, "GET", `/api/domains${query}`, asked);
  const typeFor = async (Accept: string) =>
    (await call(app, "GET", "/api/domains", withKey(key, { headers: { Accept } }))).headers.get(
      "Content-Type",
    );
  const all = await csv();
  expect(Object.fromEntries(all.headers)).toMatchObject({
    "content-type": "text/csv; charset=utf-8",
    "cache-control": "no-store, no-transform",
  });
  for (const accept of ["TEXT/CSV", "application/json;q=0.1, text/csv", "text/csv, */*;q=0.5"])
    expect(await typeFor(accept), accept).toContain("text/csv");
  for (const accept of ["*/*", "application/json, text/csv", "text/csv;q=0", "text/csvx"])
    expect(await typeFor(accept), accept).toContain("application/json");
  const [head, newest, ...others] = all.text.trimEnd().split("\r\n");
  expect(head).toBe("name,reference,state,proved at,holds,watch,registration expires");
  expect([newest, others.length]).toEqual([`b.example,"'=1+""x"",2",unclaimed,,false,,`, 101]);
  expect((await csv("?q=a100.example")).text).toContain("a100.example,,unclaimed,,false,,");
  expect((await csv("?status=proved")).text).toBe(`${head}\r\n`);
  expect((await csv("?cursor=none")).status).toBe(400);
});
