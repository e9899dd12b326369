import { expect, test } from "vitest";
import { testService } from "#app/core/testing/service.ts";
import type { Db } from "#db/client.ts";
import { claimsOfReference } from "../claims/claim-rows.server.ts";
import * as lists from "./domain-rows.server.ts";

type Query = (db: Db) => { getQuery: () => { sql: string; params: unknown[] } };

/** What SQLite does for a prepared query, a line a step. */
function planOf(query: Query): string {
  const { db } = testService().ctx;
  const { sql, params } = query(db).getQuery();
  return db.$client
    .prepare(`explain query plan ${sql}`)
    .all(params.map(() => null))
    .map((step) => (step as { detail: string }).detail)
    .join("\n");
}

test.each([
  ["a domain by its identity", lists.listedByIdentity, "domains_account_name_reference"],
  ["the list", lists.listedPages.any, "domains_listing"],
  ["the list of a status", lists.listedPages.ofStatus, "domains_listing_status"],
  ["the list by name", lists.listedPageByName, "domains_listing_name"],
  ["the domains of a name", lists.listedPageOfName, "domains_of_name"],
  ["those of a reference", lists.listedPagesOfReference.any, "domains_of_reference"],
  ["and of a status", lists.listedPagesOfReference.ofStatus, "domains_of_reference_status"],
  ["a search in a name", lists.searchAmongName.last, "domains_of_name"],
  ["a search in a reference", lists.searchAmongReference.last, "domains_of_reference"],
  ["whether there is a reference", lists.anyReference, "domains_of_reference"],
  ["the claims of a reference", claimsOfReference, "claims_of_reference"],
] as [string, Query, string][])("%s is read by its index, unsorted", (_, query, index) => {
  const plan = planOf(query);
  expect(plan).toMatch(new RegExp(`USING (COVERING )?INDEX ${index} `));
  if (!plan.includes("looked_at")) expect(plan).not.toMatch(/TEMP B-TREE|SCAN/);
});
