/** The texts here are bounded and escaped. Diagnoses that were stored before a field was added lack that field. */
import * as z from "zod";
import { CORRUPTIONS, FAILURES, NEAR_MISS_KINDS, PARKED, REASONS } from "./observation.ts";

const text = z.string();
const texts = z.array(text);
const values = texts.max(10);
export const seconds = z.int().min(0);
export const timestamp = z.iso.datetime({ precision: 3 }).describe("ISO 8601, UTC, milliseconds");
const optional = <S extends z.ZodType>(schema: S, description: string) =>
  schema.optional().meta({ description });
/** A wait and its diagnosis both have this field. */
export const unasked = optional(
  z.int().min(1),
  "How many resolvers are asked only when the wait ends; left out if Deed waits for cached answers to expire",
);
/** Only a wait has this field. */
export const heldDelegation = optional(
  z.literal("delegation"),
  "Resolvers still have the earlier delegation or DS records",
);
const keyTags = z.array(z.int().min(0).max(65_535));

export const pascalCase = (code: string): string =>
  code.replace(/(?:^|_)(.)/g, (_, letter) => letter.toUpperCase());

const named = <S extends z.ZodRawShape>(id: string, shape: S) => z.strictObject(shape).meta({ id });

const typed = <T extends string, S extends z.ZodRawShape = Record<never, never>>(
  id: string,
  type: T,
  shape = {} as S,
) => named(id, { type: z.literal(type), ...shape });

const FailedNameserver = named("FailedNameserver", {
  host: text,
  result: z.enum(FAILURES),
  target: optional(text, "For an `is_alias` host: the target of its CNAME"),
  reason: optional(z.enum(REASONS), "What its answers to other questions show"),
});
export type FailedNameserver = z.infer<typeof FailedNameserver>;
const failedNameservers = z.array(FailedNameserver);

export const Publication = named("Publication", {
  nameservers: texts.meta({ description: "Nameservers that answer without the record" }),
  publishedOn: texts.meta({ description: "Nameservers that have the record" }),
  secondRead: optional(
    z.literal(true),
    "A second check within five minutes proves the claim if it finds the same",
  ),
  noAnswer: optional(
    failedNameservers,
    "Nameservers that gave no authoritative answer; left out if there are none",
  ),
});
export type Publication = z.infer<typeof Publication>;

const StuckCopy = named("StuckCopy", {
  host: text,
  serial: z.int(),
  published: named("PublishedCopy", { host: text, serial: z.int() }),
});

const OtherAnswer = named("OtherAnswer", {
  name: text,
  answer: z
    .discriminatedUnion("type", [
      typed("ResolverNxdomain", "nxdomain"),
      typed("ResolverNodata", "nodata"),
      typed("ResolverAlias", "alias", { target: text }),
      typed("ResolverValues", "values", { values }),
    ])
    .meta({ id: "ResolverAnswer" }),
  nameservers: optional(
    texts,
    "The zone's nameservers according to this resolver, if the zone is delegated to none of them",
  ),
  filtered: optional(z.literal(true), "The resolver says that it withholds the answer (RFC 8914)"),
});
export type OtherAnswer = z.infer<typeof OtherAnswer>;

const others = optional(
  z.int().min(1),
  "Other TXT values at that name; left out if there are none",
);
const whole = optional(text, "The whole value of the record, if it is more than the token");
const byWildcard = {
  wildcardName: optional(text, "The wildcard that answers there, such as *.acme.com"),
  wildcardTypes: optional(texts, "The types of its records"),
};
const parent = optional(
  text,
  "The zone above that delegates this zone; left out if a registry does",
);
const delegated = optional(
  z.strictObject({ zone: text, parent: text, nameservers: texts }),
  "The zone is delegated from `parent`, so records in `parent` do not count",
);
export type DelegatedZone = NonNullable<z.infer<typeof delegated>>;

const glue = optional(
  z.strictObject({ host: text, registered: text, own: texts, parent }),
  "A nameserver whose address in the delegation (glue) differs from the one in its own zone",
);
export type StaleGlue = NonNullable<z.infer<typeof glue>>;

const parked = optional(
  z.strictObject({ as: z.enum(PARKED), nameservers: texts, parent }),
  "The nameservers belong to a parking service, or are those that a registrar sets when a domain has `expired` or the owner's contact address is `unconfirmed`",
);
export type ParkedZone = NonNullable<z.infer<typeof parked>>;

/**
 * "leftover": a former provider's `nameservers` are still listed. "listed": `nameservers` are from the zone's own NS
 * RRset. "dead": too few answer, and the silent `nameservers` do not belong to the zone.
 */
const Elsewhere = z
  .discriminatedUnion("type", [
    typed("OnUnlistedServers", "unlisted", { parent }),
    typed("OnListedServersAlone", "listed", { parent }),
    typed("BesideFormerServers", "leftover", { parent }),
    typed("BesideDeadServers", "dead", { parent }),
    typed("OnFormerServers", "former"),
    typed("InParentZone", "parent", { zone: text, name: text }),
  ])
  .meta({ id: "Elsewhere" });
export type Elsewhere = z.infer<typeof Elsewhere>;

const atZone = { zone: text };
/** `secondsRemembered` is how long resolvers may cache the old DS RRset after it changes. */
const atParent = { ...atZone, parent: text.optional(), secondsRemembered: seconds };
const ResolverFault = z
  .discriminatedUnion("type", [
    typed("ResolversCannotRead", "unreachable"),
    typed("ResolversFilter", "filtered"),
    typed("NoUdp", "no_udp"),
    typed("UnsignedZone", "unsigned", atZone),
    typed("DsWithoutKeys", "ds_without_keys", { dsKeyTags: keyTags, ...atParent }),
    typed("DsMatchesNoKey", "ds_matches_no_key", { dsKeyTags: keyTags, keyTags, ...atParent }),
    typed("SignaturesExpired", "signatures_expired", { ...atZone, expiredAt: timestamp }),
    typed("SignaturesNotYetValid", "signatures_not_yet_valid", { ...atZone, validFrom: timestamp }),
    typed("SignaturesMissing", "signatures_missing", atZone),
    typed("SignaturesInvalid", "signatures_invalid", atZone),
    typed("KeysUnanswered", "keys_unanswered", atZone),
    typed("DenialMissing", "denial_missing", atZone),
    typed("CapitalsUnanswered", "capitals", atZone),
  ])
  .meta({ id: "ResolverFault", description: "Why resolvers fail, if that is known" });
export type ResolverFault = z.infer<typeof ResolverFault>;

const awaits = z.enum(["claimant", "provider", "registrar", "resolvers"]).meta({ id: "Awaits" });
export type Awaits = z.infer<typeof awaits>;

const diagnosisOf = <C extends string, O extends z.ZodRawShape>(code: C, observed: O) =>
  named(pascalCase(code), {
    code: z.literal(code),
    cause: text,
    fix: text,
    awaits,
    observed: z.strictObject(observed),
  });

export const ExplainedDiagnosis = z
  .discriminatedUnion("code", [
    diagnosisOf("domain_appended", { name: text, value: whole, others, ...byWildcard }),
    diagnosisOf("record_at_apex", { name: text, value: text, others }),
    diagnosisOf("record_on_www", { name: text, value: text, others }),
    diagnosisOf("value_formatted", {
      value: text,
      damage: z.array(z.enum(CORRUPTIONS)),
      pieces: optional(z.int(), "The token is cut into this many records, each with a part of it"),
      others,
      ...byWildcard,
    }),
    diagnosisOf("expired_token", {
      value: text,
      claimEndedAt: timestamp,
      proved: optional(z.literal(true), "That claim was proved, so its record may still be needed"),
      others,
      ...byWildcard,
    }),
    diagnosisOf("foreign_token", {
      value: text,
      domain: optional(text, "The domain of this account that the token is for"),
      others,
      ...byWildcard,
    }),
    diagnosisOf("no_matching_record", { values, wildcard: z.boolean(), ...byWildcard }),
    diagnosisOf("cname_conflict", {
      target: text,
      record: optional(
        z.strictObject({ type: z.enum(["CNAME", "DNAME"]), name: text }),
        "What the zone has; left out if that is not known",
      ),
    }),
    diagnosisOf("record_absent", {
      answer: z
        .discriminatedUnion("type", [
          typed("NxdomainAnswer", "nxdomain"),
          typed("NodataAnswer", "nodata", { types: texts }),
        ])
        .meta({ id: "AbsentAnswer" }),
      nearMiss: named("NearMiss", {
        kind: z.enum(NEAR_MISS_KINDS),
        name: text,
        value: whole,
        others,
      }).nullable(),
      nameservers: optional(
        texts,
        "Nameservers that serve the zone; left out if there is a `nearMiss`",
      ),
      ...byWildcard,
      delegated,
      parked,
    }),
    diagnosisOf("not_published", {
      ...Publication.shape,
      serial: z.int().nullable(),
      stuck: optional(
        StuckCopy,
        "A nameserver that lacks the record and does not fetch the copy of the zone that has it",
      ),
      unchanged: optional(
        z.literal(true),
        "The serial has not changed since the claim's first read. Some zones never change it",
      ),
      since: optional(timestamp, "The time of that read"),
      glue,
      resolvers: optional(
        z.array(OtherAnswer),
        "Resolvers that get a different answer than this service, although any cached answer has expired",
      ),
      outside: optional(
        text,
        "A public resolver that has the record, although the nameservers that this service reaches lack it",
      ),
      elsewhere: optional(
        Elsewhere,
        "What the servers in `publishedOn` are, if they do not serve the zone",
      ),
      ...byWildcard,
      delegated,
    }),
    diagnosisOf("negative_cache", {
      secondsRemaining: seconds,
      held: z.enum(["nothing", "earlier_token", "other_values", "delegation"]).optional(),
      unasked,
    }),
    diagnosisOf("servfail", {
      resolvers: texts,
      extendedErrors: z.array(z.strictObject({ code: z.int(), text })),
      fault: ResolverFault.optional(),
    }),
    diagnosisOf("lame_delegation", { nameservers: failedNameservers, parent, glue, parked }),
  ])
  .meta({ id: "Diagnosis" });
export type ExplainedDiagnosis = z.infer<typeof ExplainedDiagnosis>;

export type DiagnosisCode = ExplainedDiagnosis["code"];
export const DIAGNOSIS_CODES: readonly DiagnosisCode[] = ExplainedDiagnosis.options.map(
  ({ shape }) => shape.code.value,
);

export type ObservedByCode = { [D in ExplainedDiagnosis as D["code"]]: D["observed"] };
export type DiagnosisOf<C extends DiagnosisCode> = {
  code: C;
  awaits: Awaits;
  observed: ObservedByCode[C];
};
export type Diagnosis = { [C in DiagnosisCode]: DiagnosisOf<C> }[DiagnosisCode];

export type CachedAnswer = NonNullable<ObservedByCode["negative_cache"]["held"]>;

/** `until` is in epoch milliseconds. `observed` is left out if nameservers disagree about a delegation instead. */
export type Wait =
  | { reason: "negative_cache"; until: number; unasked?: number; held?: "delegation" }
  | { reason: "nameserver_sync"; until: number; observed?: Publication };

export type Decision =
  | { outcome: "found" }
  | { outcome: "absent"; diagnosis: Diagnosis; wait: Wait | null }
  | { outcome: "absent"; diagnosis: null; wait: Wait }
  | { outcome: "unresolvable" };
