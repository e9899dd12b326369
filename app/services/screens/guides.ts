import { DIAGNOSIS_CATALOGUE, EXAMPLE_LOCATION, OTHER_TOKEN } from "#app/dns/copy/catalogue.ts";
import { DIAGNOSIS_GUIDES } from "#app/dns/copy/diagnosis-guides.ts";
import { digLessons } from "#app/dns/copy/dig-lessons.ts";
import { PROVIDER_GUIDES } from "#app/dns/copy/provider-guides.ts";
import { PANELS, panelHost, panelValue } from "#app/dns/copy/providers.ts";
import { pastesFor, sentencesFor } from "#app/dns/copy/sentences.ts";
import { durationInWords } from "#app/dns/copy/wording.ts";
import {
  DIAGNOSIS_CODES,
  type Diagnosis,
  type DiagnosisCode,
  type Provider,
} from "#app/dns/verdict/diagnosis.ts";
import { PUBLISHING_MINUTES } from "#app/dns/verdict/provider.ts";

import type { ExplainedDiagnosis } from "../resources.ts";

const PROVIDERS = Object.keys(PANELS) as Provider[];

export type ProviderLink = { id: Provider; title: string };

const titleOf = (id: Provider): string => (id === "other" ? "Another provider" : PANELS[id].title);

export type DiagnosisLink = { code: DiagnosisCode; title: string };

const diagnosisLink = (code: DiagnosisCode): DiagnosisLink => ({
  code,
  title: DIAGNOSIS_CATALOGUE[code].title,
});

/** The diagnoses that have a page. */
export const diagnosisLinks = (): DiagnosisLink[] => DIAGNOSIS_CODES.map(diagnosisLink);

/** The providers that have a page, the unknown one last. */
export const providerLinks = (): ProviderLink[] =>
  PROVIDERS.map((id) => ({ id, title: titleOf(id) }));

export type ProviderPage = ProviderLink & {
  way: string[];
  add: string | null;
  save: string | null;
  ttl: string | null;
  help: string | null;
  /** Labels of the form's fields. */
  fields: { type: string; host: string; value: string };
  /** What the form does with the domain: adds it, adds it unless it is there, or differs from panel to panel. */
  appends: "always" | "unless_there" | "unknown";
  quotes: "wanted" | "syntax" | "kept";
  groupsValues: boolean | null;
  /** The time until its nameservers serve a saved record, in words; null if unknown. */
  publishing: string | null;
  /** What to type for a domain, and for one below it. */
  examples: { domain: string; host: string; name: string }[];
  value: string;
  /** What most often goes wrong there. */
  mistakes: DiagnosisLink[];
};

const isOf = <T extends string>(all: readonly T[], text: string): text is T =>
  (all as readonly string[]).includes(text);

/** How to add a record at a provider; null if there is no page of this id. */
export function providerPage(id: string, label: string): ProviderPage | null {
  if (!isOf(PROVIDERS, id)) return null;
  const panel = PANELS[id];
  const minutes = PUBLISHING_MINUTES[id];
  const { zone, token } = EXAMPLE_LOCATION;
  return {
    id,
    title: titleOf(id),
    ...PROVIDER_GUIDES[id],
    fields: { type: panel.type, host: panel.host, value: panel.value },
    appends:
      panel.appendsDomain === null ? "unknown" : panel.takesFullName ? "unless_there" : "always",
    quotes: panel.wantsQuotes ? "wanted" : panel.readsQuotes ? "syntax" : "kept",
    groupsValues: panel.groupsValues,
    publishing: minutes === null ? null : durationInWords(minutes * 60),
    examples: ["acme.com", "shop.acme.com"].map((domain) => ({
      domain,
      host: panelHost({ label, domain, zone, provider: id }),
      name: `${label}.${domain}`,
    })),
    value: panelValue({ token, provider: id }),
    mistakes: [
      ...(panel.takesFullName ? [] : (["domain_appended"] as const)),
      ...(panel.readsQuotes ? [] : (["value_formatted"] as const)),
      "record_absent" as const,
    ].map(diagnosisLink),
  };
}

export type DiagnosisPage = {
  code: DiagnosisCode;
  title: string;
  /** For programs, with an example as the API answers it. */
  meaning: string;
  example: ExplainedDiagnosis;
  happened: string;
  fix: string[];
  lessons: { command: string; answer: string; means: string }[];
  /** What to do at each provider, what to paste in backticks; empty if it is the same everywhere. */
  atProviders: (ProviderLink & { fix: string })[];
};

const LESSON_NAMES = {
  label: EXAMPLE_LOCATION.label,
  domain: EXAMPLE_LOCATION.domain,
  zone: EXAMPLE_LOCATION.zone ?? EXAMPLE_LOCATION.domain,
  token: EXAMPLE_LOCATION.token,
  otherToken: OTHER_TOKEN,
  nameserver: "ns1.dns.example",
  otherNameserver: "ns2.dns.example",
  resolver: "1.1.1.1",
};

/** The fix in the vocabulary of a provider's panel, with what to paste in backticks. */
function fixAt(diagnosis: Diagnosis, provider: Provider): string {
  const place = { ...EXAMPLE_LOCATION, provider };
  return pastesFor(diagnosis, place).reduce(
    (text, { value }) =>
      text.replace(
        new RegExp(`(?<=[ :])${value.replace(/\W/g, "\\$&")}(?=$|[ ,.])`),
        `\`${value}\``,
      ),
    sentencesFor(diagnosis, place).fix,
  );
}

/** A diagnosis explained to a person; null if there is none of this code. */
export function diagnosisPage(code: string): DiagnosisPage | null {
  if (!isOf(DIAGNOSIS_CODES, code)) return null;
  const { title, meaning, example } = DIAGNOSIS_CATALOGUE[code];
  const atProviders = providerLinks().map((link) => ({
    ...link,
    fix: fixAt(example, link.id),
  }));
  const isSame =
    example.awaits !== "claimant" || new Set(atProviders.map(({ fix }) => fix)).size === 1;
  return {
    code,
    title,
    meaning,
    example: { ...example, ...sentencesFor(example, EXAMPLE_LOCATION) },
    ...DIAGNOSIS_GUIDES[code],
    lessons: digLessons(code, LESSON_NAMES).map(({ ask, answer, means }) => ({
      command: `dig ${ask}`,
      answer: answer.join("\n"),
      means,
    })),
    atProviders: isSame ? [] : atProviders,
  };
}
