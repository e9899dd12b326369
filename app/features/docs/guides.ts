import {
  DIAGNOSIS_CODES,
  type Diagnosis,
  type DiagnosisCode,
  type Provider,
} from "@deed/dns/verdict/diagnosis.ts";
import { PUBLISHING_MINUTES } from "@deed/dns/verdict/provider.ts";
import {
  DIAGNOSES,
  digLessons,
  explain,
  sentencesFor,
} from "@deed/dns/words/diagnoses/diagnoses.ts";
import {
  type DiagnosisText,
  EXAMPLE_LOCATION,
  OTHER_TOKEN,
} from "@deed/dns/words/diagnosis-text.ts";
import { PANELS, type Panel, panelHost, panelValue } from "@deed/dns/words/providers.ts";
import { durationInWords } from "@deed/dns/words/wording.ts";
import type { ExplainedDiagnosis } from "#app/core/resources.ts";

const PROVIDERS = Object.keys(PANELS) as Provider[];

export type ProviderLink = { id: Provider; title: string };

const titleOf = (id: Provider): string => (id === "other" ? "Another provider" : PANELS[id].title);

export type DiagnosisLink = { code: DiagnosisCode; title: string };

const diagnosisLink = (code: DiagnosisCode): DiagnosisLink => ({
  code,
  title: DIAGNOSES[code].title,
});

/** The diagnoses that have a page. */
export const diagnosisLinks = (): DiagnosisLink[] => DIAGNOSIS_CODES.map(diagnosisLink);

/** The providers that have a page, the unknown one last. */
export const providerLinks = (): ProviderLink[] =>
  PROVIDERS.map((id) => ({ id, title: titleOf(id) }));

export type ProviderPage = ProviderLink &
  Pick<Panel, "way" | "add" | "save" | "ttl" | "help" | "groupsValues"> & {
    /** Labels of the form's fields. */
    fields: { type: string; host: string; value: string };
    /** What the form does with the domain: adds it, adds it unless it is there, or differs from panel to panel. */
    appends: "always" | "unless_there" | "unknown";
    quotes: "wanted" | "syntax" | "kept";
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
  const { way, add, save, ttl, help, groupsValues } = panel;
  const minutes = PUBLISHING_MINUTES[id];
  const { zone, token } = EXAMPLE_LOCATION;
  return {
    id,
    title: titleOf(id),
    ...{ way, add, save, ttl, help, groupsValues },
    fields: { type: panel.type, host: panel.host, value: panel.value },
    appends:
      panel.appendsDomain === null ? "unknown" : panel.takesFullName ? "unless_there" : "always",
    quotes: panel.wantsQuotes ? "wanted" : panel.readsQuotes ? "syntax" : "kept",
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

export type DiagnosisPage = Pick<
  DiagnosisText<DiagnosisCode>,
  "title" | "meaning" | "happened" | "steps"
> & {
  /** As the API answers it. */
  example: ExplainedDiagnosis;
  lessons: { command: string; answer: string; means: string }[];
  /** What to do at each provider, what to paste in backticks; empty if it is the same everywhere. */
  atProviders: (ProviderLink & { fix: string })[];
};

const DIG_NAMES = {
  ...EXAMPLE_LOCATION,
  zone: EXAMPLE_LOCATION.domain,
  otherToken: OTHER_TOKEN,
  nameserver: "ns1.dns.example",
  otherNameserver: "ns2.dns.example",
  resolver: "1.1.1.1",
};

/** The fix in the vocabulary of a provider's panel, with what to paste in backticks. */
function fixAt(diagnosis: Diagnosis, provider: Provider): string {
  const { fix, pastes } = explain(diagnosis, { ...EXAMPLE_LOCATION, provider });
  return pastes.reduce(
    (text, { value }) =>
      text.replace(
        new RegExp(`(?<=[ :])${value.replace(/\W/g, "\\$&")}(?=$|[ ,.])`),
        `\`${value}\``,
      ),
    fix,
  );
}

/** A diagnosis explained to a person; null if there is none of this code. */
export function diagnosisPage(code: string): DiagnosisPage | null {
  if (!isOf(DIAGNOSIS_CODES, code)) return null;
  const { title, meaning, example, happened, steps } = DIAGNOSES[code];
  const atProviders = providerLinks().map((link) => ({ ...link, fix: fixAt(example, link.id) }));
  const isSame =
    example.awaits !== "claimant" || new Set(atProviders.map(({ fix }) => fix)).size === 1;
  return {
    title,
    meaning,
    happened,
    steps,
    example: { ...example, ...sentencesFor(example, EXAMPLE_LOCATION) },
    lessons: digLessons(code, DIG_NAMES).map(({ ask, answer, means }) => ({
      command: `dig ${ask}`,
      answer: answer.join("\n"),
      means,
    })),
    atProviders: isSame ? [] : atProviders,
  };
}
