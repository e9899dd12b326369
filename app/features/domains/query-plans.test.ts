import type { Query } from "drizzle-orm";
import { expect, test } from "vitest";
import { testService } from "#app/core/testing/service.ts";
import { pageOfClaims } from "../claims/claim-rows.server.ts";
import {
  anyWithReference,
  claimsNeedingAction,
  domainByIdentity,
  type ListFilter,
  listedInTrouble,
  queryOfPage,
} from "./domain-rows.server.ts";

const { db } = testService().ctx;
const ALL: ListFilter = {
  accountId: "acc_1",
  ...{ name: null, reference: null, q: null, status: null, archived: false },
  ...{ holds: null, watch: null, except: null },
  ...{ byName: false, isBackward: false, createdAt: 1, id: "dom_1" },
};
const page = (asked: Partial<ListFilter>) => queryOfPage(db, { ...ALL, ...asked });
const [name, reference, q, status] = ["acme.com", "one", "acme", "proved"] as const;

function planOf(query: { getQuery(): Pick<Query, "sql" | "params"> }): string {
  const { sql, params } = query.getQuery();
  const steps = db.$client
    .prepare<unknown[], { detail: string }>(`explain query plan ${sql}`)
    .all(params.map((param) => (typeof param === "object" ? null : param)));
  return steps.map(({ detail }) => detail).join("\n");
}

test.each([
  ["a domain by its identity", domainByIdentity(db), "domains_account_name_reference"],
  ["the list", page({}), "domains_listing"],
  ["the list without some", page({ except: "dom_2" }), "domains_listing"],
  ["the list of a status", page({ status }), "domains_listing_status"],
  ["the list by name", page({ byName: true }), "domains_listing_name"],
  ["the page before one", page({ isBackward: true }), "domains_listing"],
  ["that by name", page({ byName: true, isBackward: true }), "domains_listing_name"],
  ["a status by name", page({ byName: true, status }), "domains_listing_name"],
  ["the domains of a name", page({ name, archived: null }), "domains_of_name"],
  ["those of a reference", page({ reference }), "domains_of_reference"],
  ["and of a status", page({ reference, status }), "domains_of_reference_status"],
  ["a search in a name", page({ name, q, archived: null }), "domains_of_name"],
  ["a search in a reference", page({ reference, q, archived: null }), "domains_of_reference"],
  ["a short search", page({ q: "zz", archived: null }), "domains_listing"],
  ["those that hold", page({ holds: true }), "domains_listing"],
  ["a watch of a name", page({ name, watch: "moved", archived: null }), "domains_of_name"],
  ["whether there is a reference", anyWithReference(db), "domains_of_reference"],
  ["open claims with a diagnosis", claimsNeedingAction(db, true), "verifications_needs_attention"],
  ["the claims of a reference", pageOfClaims(db, "reference"), "claims_of_reference"],
])("%s is read by its index, unsorted", (_, query, index) => {
  const plan = planOf(query);
  expect(plan).toMatch(new RegExp(`USING (COVERING )?INDEX ${index} `));
  if (plan.includes("LIST SUBQUERY")) expect(plan).toContain("domains USING INTEGER PRIMARY KEY");
  else expect(plan).not.toMatch(/TEMP B-TREE|SCAN/);
});

test("those in trouble are read by the indexes of what is, not by the list", () => {
  const plan = planOf(listedInTrouble(db));
  expect(plan).toContain("domains USING INDEX domains_lost ");
  expect(plan).toMatch(/SCAN w USING (COVERING )?INDEX watches_missing/);
  expect(plan.match(/SCAN|domains_listing/g)).toEqual(["SCAN"]);
});
