import type { Registration } from "@deed/dns/rdap/answer.ts";
import { nameToAsk } from "@deed/dns/rdap/relevance.ts";
import { explanations, type RegistryAnswer } from "@deed/dns/rdap/sentences.ts";
import type { Diagnosis } from "@deed/dns/verdict/diagnosis.ts";
import { eq, lte, sql } from "drizzle-orm";
import { DAY, iso, isoOrNull } from "#app/core/time.ts";
import type { Registry } from "#app/features/zones/resources.ts";
import { type Db, prepared, type Tx } from "#db/client.ts";
import { registrations } from "#db/schema.ts";

/** How long an answer is shown and kept. */
export const REGISTRATION_KEPT_MS = DAY;

export const registrationOf = prepared((db) =>
  db
    .select()
    .from(registrations)
    .where(eq(registrations.name, sql.placeholder("name")))
    .prepare(),
);

export type Subject = {
  claim: { name: string };
  verification: { diagnosis: string | null; zone: string | null };
};

/**
 * What the registry said of a claim's name, where its diagnosis turns on the delegation; null if it was not asked in the
 * last day or gave no usable answer. `now`: epoch milliseconds.
 */
export function registryOf(db: Db | Tx, { claim, verification }: Subject, now: number) {
  if (verification.diagnosis === null) return null;
  const diagnosis: Diagnosis = JSON.parse(verification.diagnosis);
  const name = nameToAsk({ name: claim.name, zone: verification.zone }, diagnosis);
  const row = name === null ? undefined : registrationOf(db).get({ name });
  if (!row || row.answeredAt === null || now - row.answeredAt > REGISTRATION_KEPT_MS) return null;
  const registration: Registration | null = row.registration && JSON.parse(row.registration);
  return toRegistry({ name: row.name, at: row.answeredAt, registration }, diagnosis);
}

/** The answer, and what it says to a diagnosis, as the API and the pages show it. */
export function toRegistry(answer: RegistryAnswer, diagnosis: Diagnosis): Registry {
  const { name, at, registration } = answer;
  const explained = explanations(answer, diagnosis);
  return {
    name,
    registered: registration !== null,
    statuses: registration?.statuses ?? [],
    expiresAt: isoOrNull(registration?.expiresAt ?? null),
    nameservers: registration?.nameservers ?? null,
    delegationSigned: registration?.delegationSigned ?? null,
    cause: explained.map(({ cause }) => cause).join(" ") || null,
    fix: explained[0]?.fix ?? null,
    askedAt: iso(at),
  };
}

/** Deletes what no page shows any more. */
export const forgetRegistrations = (tx: Tx, now: number): void =>
  void tx
    .delete(registrations)
    .where(lte(registrations.askedAt, now - REGISTRATION_KEPT_MS))
    .run();
