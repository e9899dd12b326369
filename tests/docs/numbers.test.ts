import { expect, it } from "vitest";
import { ERRORS } from "#app/core/errors.server.ts";
import { ID_PREFIXES } from "#app/core/ids.server.ts";
import { retryAfterMs } from "#app/core/outbound/outbound.server.ts";
import { DAY, HOUR, MINUTE, SECOND } from "#app/core/time.ts";
import { ENDPOINTS } from "#app/endpoints.server.ts";
import { FAST_FOR_MS, FAST_PER_DAY_MS, FASTEST_MS } from "#app/features/claims/transition.ts";
import type { WatchRow } from "#app/features/claims/watch.ts";
import { openApiDocument } from "#app/features/docs/openapi.server.ts";
import { afterRead, RECORD_IN_PLACE } from "#app/features/watching/watch-states.ts";
import { JITTER, NEXT_TRY_MS } from "#app/features/webhooks/deliver.server.ts";
import { SENTENCES } from "../contract/sentences.ts";

/** Numbers and lists in the contract: these tests fail if only one side changes. */

const settings = { baseUrl: "https://deed.example", docsUrl: "https://deed.example/docs" };
const { schemas } = openApiDocument(ENDPOINTS, settings, "3.0.3").components;
const sentence = (id: string) => SENTENCES.find((one) => one.id === id)?.text ?? "";
const listed = (text: string) => [...text.matchAll(/\w+/g)].map(([name]) => name).sort();

/** The names of all fields of answers that may be null. */
function nullableIn(schema: unknown, found = new Set<string>()): Set<string> {
  if (typeof schema !== "object" || schema === null) return found;
  const { properties = {} } = schema as { properties?: Record<string, { nullable?: boolean }> };
  for (const [name, field] of Object.entries(properties)) if (field.nullable) found.add(name);
  for (const inner of Object.values(schema)) nullableIn(inner, found);
  return found;
}

it("C2.6 has these fields that may be null, and no other", () => {
  expect([...nullableIn(schemas)].sort().join(" ")).toMatchInlineSnapshot(
    `"answer awaits back cause checkedAt claimEndedAt claimId claimStartedAt code coexistence delegationSigned diagnosis disabledAt disabledBecause dnssec endedAt expiresAt fix handoff hasRecord lagMs lastOutcome lastProvedAt lastRunAt lastSeenAt lastUsedAt lastUsedFrom latencyMs missingSince nameservers nearMiss nearest negativeCacheTtlSeconds next nextCursor nextRunAt nextTryAt panel param position previousSecretUntil previousUntil provider publishingMinutes raisedBy readAt reason record reference registeredAt registration registrationExpiresAt registry registryAskedAt requestedFor resetsAt revokedAt rotatedAt seconds serial stamp status term title triedAt vendor verificationId wait waitEstimate waitingFor watch zone"`,
  );
});

/** Each schema with the sentence that lists its fields, and fields that later sentences add; then the omitted ones. */
const SHAPES = `
Domain C4.3 reference lastProvedAt holds
AddedDomain C4.3 reference lastProvedAt holds normalisations
ListedDomain C4.3,C4.6 reference lastProvedAt holds diagnosis waitEstimate
DomainList C4.5
Claim C5.2 reference holds watch
ClaimDetail C5.2 reference holds watch coexistence
ListedClaim C5.2 reference holds watch diagnosis waitEstimate
ChallengeRecord C5.4
Panel C5.6
Verification C6.1 registry
Attempt C6.14
DomainAppended C7.1
ProofLink C10.4
PublishedProof C10.4,C10.10 recency -claimId -standing -issuedAt -revokedAt
DelegationFrame C11.3
PublishingFrame C11.5
Person C13.6
EventList C14.11
Notice C15.1
Handoff C16.1
Receipt C23.1
Webhook C26.2
Delivery C26.13
SharedRecord C28.1
Watch C29.3
Registry C30.1
TestClock C32.3
TestMail C32.4`;

/** The names in the longest list in braces, and those after "adds". */
function fieldsIn(text: string): string[] {
  const [added = ""] = /(?<= adds )[^.]*/.exec(text) ?? [];
  const lists = [...text.matchAll(/\{ (\w+(?:: "\w+")?(?:, \w+(?:: "\w+")?)+) \}/g)];
  const longest = lists.map(([, list = ""]) => list).sort((a, b) => b.length - a.length)[0];
  return (longest ?? added).replaceAll(/: "\w+"|\.$/g, "").split(/, | and /);
}

it.each(SHAPES.trim().split("\n"))("C22.3 has the fields of %s", (line) => {
  const [name = "", ids = "", ...more] = line.split(" ");
  const { properties } = schemas[name] as { properties: Record<string, { type?: string }> };
  const fields = new Set(
    ids.split(",").flatMap((id) => (id === "C10.10" ? [] : fieldsIn(sentence(id)))),
  );
  for (const one of more) one.startsWith("-") ? fields.delete(one.slice(1)) : fields.add(one);
  expect(Object.keys(properties).sort()).toEqual([...fields].sort());
  // C2.5
  for (const [field, { type }] of Object.entries(properties))
    if (/(Seconds|Minutes|Ms)$/.test(field)) expect([field, type]).toEqual([field, "integer"]);
});

const TABLE = "C17.1 C17.3 C17.4 C17.5 C17.8 C17.9 C17.12 C17.13 C17.17 C22.2 C25.13 C26.15";
it(`${TABLE}: each error has the status of its sentence`, () => {
  const statuses = Object.fromEntries(
    Object.entries(ERRORS).map(([code, [status]]) => [code, status]),
  );
  const told: Record<string, number> = {};
  for (const { id, text } of SENTENCES) {
    if (!/^(C17\.\d+|C25\.13|C26\.15)$/.test(id)) continue;
    // A status comes before all of its codes, or after each of them.
    const first = Number(/^\d+(?= for)/.exec(text)?.[0] ?? 0);
    const codes: string[] = [];
    for (const word of text.match(/\w+/g) ?? [])
      if (word in statuses && first) told[word] = first;
      else if (word in statuses) codes.push(word);
      else if (/^[45]\d\d$/.test(word))
        for (const code of codes.splice(0)) told[code] = Number(word);
  }
  const elsewhere = { origin_not_registered: 400, receipt_not_found: 404 };
  expect(statuses).toEqual({ ...told, ...elsewhere });
});

it("C2.8 lists every prefix of an id", () => {
  const [, list = ""] = /\((.*)\)/.exec(sentence("C2.8")) ?? [];
  expect(listed(list)).toEqual(ID_PREFIXES.map((prefix) => `${prefix}_`).sort());
});

it("C9.5 has how long reads are fast, how fast, and for how much of a day", () => {
  expect(sentence("C9.5")).toMatch(
    /next ten minutes fast again, every 15 seconds,.* at most an hour a day/,
  );
  expect([FAST_FOR_MS, FASTEST_MS, FAST_PER_DAY_MS]).toEqual([10 * MINUTE, 15 * SECOND, HOUR]);
});

it("C26.10 has every pause between tries, their spread, and the longest that is asked for", () => {
  const [, list = "", spread] =
    /after (.*) hours, each ± (\d+) %, .*\(a day at most\)/.exec(sentence("C26.10")) ?? [];
  expect(list).toMatch(/^5 seconds, 5 and 30 minutes, /);
  expect(NEXT_TRY_MS).toEqual(
    list
      .match(/\d+/g)
      ?.map(Number)
      .map((count, index) => count * (index === 0 ? SECOND : index < 3 ? MINUTE : HOUR)),
  );
  expect([JITTER * 100, retryAfterMs("999999", 0)]).toEqual([Number(spread), DAY]);
});

it("C29.3 has when a record is missing, and when it has lapsed", () => {
  expect(sentence("C29.3")).toMatch(
    /missing \(two reads at least six hours apart.*lapsed \(missing for seven days\)/,
  );
  const start: Partial<WatchRow> = { ...RECORD_IN_PLACE, claimId: "clm_1", seenAt: 0 };
  const first = afterRead(start as WatchRow, "absent", DAY).after as WatchRow;
  const stateAfter = (before: WatchRow, ms: number) => afterRead(before, "absent", DAY + ms).after;
  expect(stateAfter(first, 6 * HOUR - 1).state).toBe("published");
  const missing = stateAfter(first, 6 * HOUR) as WatchRow;
  expect(missing.state).toBe("missing");
  expect(stateAfter(missing, 7 * DAY - 1).state).toBe("missing");
  expect(stateAfter(missing, 7 * DAY).state).toBe("lapsed");
});
