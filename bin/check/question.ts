import { randomBytes } from "node:crypto";
import { under } from "@deed/dns/names.ts";
import { escapeUntrusted } from "@deed/dns/verdict/escape-untrusted.ts";
import { DeedError } from "#app/core/errors.server.ts";
import { normaliseName } from "#app/core/names/domain-name.ts";
import { fixedList, shippedRegistries } from "#app/features/zones/registry/registries.server.ts";
import { EnvironmentError, parseEnvironment, VARIABLES } from "#app/ops/environment/env.server.ts";
import { readerSettings, registrySettings } from "#app/ops/settings.server.ts";

/** What to read. */
export type Question = {
  /** ASCII, and as people read it. */
  domain: string;
  unicode: string;
  label: string;
  /** Null for a look at the zone. */
  token: string | null;
};

/** The question cannot be asked as it was put. `message`: a line for each reason. */
export class QuestionError extends Error {}

/** A prefix of the installation's own, then 160 bits in hex. */
const TOKEN = /^([a-z0-9_-]{1,32})[0-9a-f]{40}$/;

/** The prefix of a token, by which other tokens of the same service are told. */
export const prefixOf = (token: string): string => TOKEN.exec(token)?.[1] ?? "";

/** A token that no zone has, to read a challenge name without looking for anything. */
export const unusedToken = (): string => `none_${randomBytes(20).toString("hex")}`;

/** Only what concerns DNS, so that a setting of the service's cannot stop a look at DNS. */
const COUNTED = VARIABLES.filter((name) => /^(?:DNS_|RDAP|CHALLENGE_LABEL$)/.test(name));

/** The settings of the reader and of RDAP, and the challenge label of this environment. Throws a QuestionError on a bad value. */
export function checkSettings(source: Record<string, string | undefined>) {
  const given = COUNTED.map((name) => [name, source[name]]);
  try {
    const env = parseEnvironment(Object.fromEntries(given));
    const registry = registrySettings(env, () => fixedList(shippedRegistries()));
    return { reader: readerSettings(env), registry, label: env.CHALLENGE_LABEL };
  } catch (error) {
    if (error instanceof EnvironmentError) throw new QuestionError(error.message);
    throw error;
  }
}

/** Normalises the name as the service does. Throws a QuestionError that says what is wrong with name or token. */
export function questionOf(name: string, token: string | undefined, label: string): Question {
  try {
    const { ascii, unicode } = normaliseName(name, label);
    if (under(label, ascii) === null)
      throw new QuestionError(`${label}.${ascii} is longer than a DNS name may be.`);
    const trimmed = token?.trim();
    if (trimmed !== undefined && !TOKEN.test(trimmed))
      throw new QuestionError(
        "A token is a prefix and 40 hexadecimal digits, such as service_v1_0123456789abcdef0123456789abcdef01234567.",
      );
    return { domain: ascii, unicode, label, token: trimmed ?? null };
  } catch (error) {
    if (!(error instanceof DeedError)) throw error;
    throw new QuestionError(`${escapeUntrusted(name)}: ${error.message}`);
  }
}
