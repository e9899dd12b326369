import * as z from "zod";
import type { Evidence } from "#app/dns/verdict/observation.ts";

/** The form of evidence as another node sends it: exactly what `evidenceOf` makes, without our own validation. */

const text = z.string().max(400);
const texts = z.array(text).max(100);
const whole = z.int().min(0);
const ms = z.number().min(0);

const Soa = z.strictObject({
  zone: text,
  serial: whole,
  refresh: whole,
  minimum: whole,
  ttl: whole,
});

const Answer = z.strictObject({
  rcode: text,
  values: texts,
  ttl: whole.nullable(),
  alias: z.strictObject({ type: z.enum(["CNAME", "DNAME"]), name: text, target: text }).nullable(),
  soa: Soa.nullable(),
});

const failures = ["timeout", "refused", "servfail", "malformed"] as const;
const serverFailures = [
  "not_authoritative",
  "no_address",
  "blocked_address",
  "tcp_refused",
  "case_changed",
  "too_large",
  "is_alias",
  "ipv6_only",
] as const;

const Server = z.strictObject({
  host: text,
  address: text.nullable(),
  result: z.enum(["answered", ...failures, ...serverFailures]),
  answer: Answer.nullable(),
  latencyMs: ms.nullable(),
  size: z.strictObject({ bytes: whole, records: whole }).optional(),
  alias: text.optional(),
});
const servers = z.array(Server).max(100);

const Witness = z.strictObject({
  name: text,
  address: text,
  result: z.enum(["answered", ...failures, "untrusted"]),
  answer: Answer.nullable(),
  nameservers: texts.nullable(),
  ad: z.boolean(),
  extendedErrors: z.array(z.strictObject({ code: whole, text })).max(20),
  uncheckedRcode: text.nullable(),
  latencyMs: ms.nullable(),
});

const Delegation = z.discriminatedUnion("type", [
  z.strictObject({
    type: z.literal("delegated"),
    zone: text,
    parent: text,
    nameservers: texts,
    ttl: whole,
  }),
  z.strictObject({ type: z.literal("none"), parent: text, rcode: text }),
  z.strictObject({ type: z.literal("unreachable"), zone: text }),
]);

const PROBES = [
  "domain_appended",
  "apex",
  "challenge_on_www",
  "www",
  "no_underscore",
  "misspelled",
  "host_doubled",
  "parent",
  "token_as_host",
  "quoted_host",
  "domain_repeated",
  "zone_apex",
  "between",
  "mx_target",
  "spf_type",
  "ns_target",
] as const;

const Exchange = z.strictObject({
  server: text,
  address: text,
  transport: z.enum(["udp", "tcp", "tls", "https"]),
  question: z.strictObject({ name: text, type: text }),
  at: whole,
  latencyMs: ms.nullable(),
  result: z.enum(["answered", ...failures, ...serverFailures, "untrusted"]),
  rcode: text.nullable(),
  aa: z.boolean(),
  ad: z.boolean(),
  tc: z.boolean(),
});

export const EvidenceForm: z.ZodType<Omit<Evidence, "vantages">> = z.strictObject({
  version: z.literal(1),
  at: whole,
  durationMs: ms,
  domain: text,
  label: text,
  challengeName: text,
  token: text,
  delegation: Delegation,
  servers,
  strays: z.array(z.strictObject({ host: text, zone: text, nameservers: texts })).max(100),
  unlisted: servers,
  former: servers,
  parent: z.strictObject({ zone: text, name: text.nullable(), nameservers: texts }).nullable(),
  soa: Soa.nullable(),
  holder: z.strictObject({ host: text, serial: whole }).nullable(),
  typesAtName: texts,
  confirmation: z.strictObject({ host: text, address: text, confirmed: z.boolean() }).nullable(),
  wildcard: z.union([text, z.literal(false)]).nullable(),
  misplaced: z
    .array(
      z.strictObject({
        kind: z.enum(PROBES),
        name: text,
        value: text,
        others: whole,
        servers: texts,
      }),
    )
    .max(100),
  witnesses: z.array(Witness).max(100).nullable(),
  validation: z.null(),
  packets: whole,
  limit: z.enum(["packets", "deadline", "referrals", "pace", "tcp"]).nullable(),
  exchanges: z.array(Exchange).max(100),
});
