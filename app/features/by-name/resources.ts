import type * as z from "zod";
import { object } from "#app/core/resources.ts";
import { ChallengeRecord, Claim, outstanding, Panel } from "#app/features/claims/resources.ts";
import { holds } from "#app/features/claims/watch.ts";
import { AddedDomain, ListedDomain } from "#app/features/domains/resources.ts";
import { Handoff } from "#app/features/handoffs/resources.ts";

const RecordToAdd = object("RecordToAdd", {
  ...ChallengeRecord.shape,
  panel: Panel.nullable().describe("Null until a check has found the zone"),
});

export const DomainAndClaim = object("DomainAndClaim", {
  domain: AddedDomain,
  holds,
  watch: ListedDomain.shape.watch,
  claim: Claim,
  record: RecordToAdd.nullable().describe("What to add; null once the claim has ended"),
  ...outstanding,
  handoff: Handoff.nullable().describe("The claim's live hand-off page"),
});
export type DomainAndClaim = z.infer<typeof DomainAndClaim>;
