import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ENDPOINTS } from "#app/endpoints.server.ts";
import { expectError, targetService } from "../contract/kit.ts";
import { Ledger } from "../support/ledger.ts";
import { bodyOf, type Owned, ownerOfEverything, pathTo } from "../support/owned.ts";

/** Each call would succeed but for one value: it uses the caller's own resources and a valid body. */
const target = targetService();
const named = ENDPOINTS.map((endpoint) => ({
  name: `${endpoint.method} ${endpoint.path}`,
  endpoint,
}));
const withBody = named.filter(({ endpoint }) => endpoint.body);
const withQuery = named.filter(
  ({ endpoint }) => Object.keys(endpoint.query?.shape ?? {}).length > 0,
);

let owned: Owned;
let ledger: Ledger;
beforeAll(async () => {
  owned = await ownerOfEverything(target());
  ledger = new Ledger(target().own.service);
});
afterAll(() => ledger.close());

describe("fields that are missing, too many or of the wrong type", () => {
  it.each(withBody)("$name", async ({ endpoint }) => {
    const before = ledger.read();
    const whole = bodyOf(owned, endpoint) ?? {};
    const taken = (json: unknown) => endpoint.body?.safeParse(json).success;
    const refused = async (json: unknown, field: string) => {
      const answer = await owned.client.request(endpoint.method, pathTo(owned, endpoint), { json });
      expectError(answer, "invalid_request");
      expect(answer.text).toContain(field);
    };
    for (const field of Object.keys(endpoint.body?.shape ?? {})) {
      for (const value of [null, 7, true, [], ["a"], {}, { a: 1 }])
        if (!taken({ ...whole, [field]: value }))
          await refused({ ...whole, [field]: value }, field);
      const { [field]: _, ...rest } = whole;
      if (!taken(rest)) await refused(rest, field);
    }
    for (const extra of ["surprise", "id", "__proto__", "constructor"])
      await refused(Object.fromEntries([...Object.entries(whole), [extra, 1]]), extra);
    expect(ledger.read()).toBe(before);
  });
});

/** Invalid values of each query parameter. */
const BAD_QUERY: Record<string, string[]> = {
  limit: ["0", "101", "-1", "1.5", "1e1", "x", "", "%00"],
  archived: ["yes", "1", "TRUE", ""],
  status: ["open", "PROVED", ""],
  cursor: ["", "nonsense", "%zz", "%00", "a".repeat(254)],
  domainId: [""],
  after: [""],
  name: ["", "%20", "%zz", "a..b", "192.0.2.1", "a".repeat(64), `${"a.".repeat(127)}a`],
  q: ["", "a".repeat(254)],
  keepWww: ["yes", "1", ""],
  reference: ["", "%20", "a%20", "a%0Ab", "a%E2%80%AEb", "a".repeat(201), "%00"],
  callbackPath: [],
};

describe("a query that is twice there or invalid", () => {
  it.each(withQuery)("$name", async ({ endpoint }) => {
    const before = ledger.read();
    const ask = (query: string) =>
      owned.client.request(endpoint.method, `${pathTo(owned, endpoint)}?${query}`);
    for (const field of Object.keys(endpoint.query?.shape ?? {})) {
      expectError(await ask(`${field}=1&${field}=1`), "invalid_request");
      const code = field === "name" ? "invalid_domain" : "invalid_request";
      for (const value of BAD_QUERY[field] ?? [`no bad values are known of ${field}`])
        expectError(await ask(`${field}=${value}`), code);
    }
    expect(ledger.read()).toBe(before);
  });
});
