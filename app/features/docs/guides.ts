import type { Provider } from "@deed/dns/names.ts";
import {
  DIAGNOSIS_CODES,
  type Diagnosis,
  type DiagnosisCode,
} from "@deed/dns/verdict/diagnosis.ts";
import {
  DIAGNOSES,
  digLessons,
  exampleOf,
  explain,
  sentencesFor,
} from "@deed/dns/words/diagnoses/diagnoses.ts";
import { EXAMPLE_LOCATION, OTHER_TOKEN } from "@deed/dns/words/diagnosis-text.ts";
import { PANELS, panelHost, panelValue } from "@deed/dns/words/providers.ts";
import { durationInWords } from "@deed/dns/words/wording.ts";
import type { Settings } from "#app/core/settings.server.ts";

const PROVIDERS = Object.keys(PANELS) as Provider[];

const titleOf = (id: Provider): string => (id === "other" ? "Another provider" : PANELS[id].title);

const diagnosisLink = (code: DiagnosisCode) => {
  const { title } = DIAGNOSES[code];
  return { code, title, to: `/docs/diagnoses/${code}` };
};

/** Lists the diagnoses; `closer` are the more exact titles of each. */
export const diagnosisLinks = () =>
  DIAGNOSIS_CODES.map((code) => ({
    ...diagnosisLink(code),
    closer: Object.keys(DIAGNOSES[code].closer ?? {}),
  }));

/** Lists the providers with a page, the unknown provider last. */
export const providerLinks = () =>
  PROVIDERS.map((id) => ({ id, title: titleOf(id), to: `/docs/providers/${id}` }));

const withInstallationWords = <T>(page: T, { challengeLabel, tokenPrefix }: InstallationWords): T =>
  JSON.parse(
    JSON.stringify(page)
      .replaceAll(EXAMPLE_LOCATION.label, challengeLabel)
      .replaceAll(EXAMPLE_LOCATION.label.slice(1), challengeLabel.replace(/^_/, ""))
      .replaceAll("service_v1_", tokenPrefix),
  );
type InstallationWords = Pick<Settings, "challengeLabel" | "tokenPrefix">;

export type ProviderPage = NonNullable<ReturnType<typeof providerPage>>;

const isOneOf = <T extends string>(all: readonly T[], text: string): text is T =>
  (all as readonly string[]).includes(text);

/** Returns a provider's page, or null. `publishing` says how long its nameservers take; null if unknown. */
export function providerPage(id: string, words: InstallationWords) {
  if (!isOneOf(PROVIDERS, id)) return null;
  const panel = PANELS[id];
  const { way, add, save, ttl, help, groupsValues, publishingMinutes: minutes } = panel;
  const { label, zone, token } = EXAMPLE_LOCATION;
  const page = {
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
  } as const;
  return withInstallationWords(page, words);
}

const DIG_NAMES = {
  ...EXAMPLE_LOCATION,
  zone: EXAMPLE_LOCATION.domain,
  otherToken: OTHER_TOKEN,
  nameserver: "ns1.dns.example",
  otherNameserver: "ns2.dns.example",
  resolver: "1.1.1.1",
};

/** Writes a fix in the words of a provider's panel, with what to paste in backticks. */
function fixFor(diagnosis: Diagnosis, provider: Provider): string {
  const { fix, pastes } = explain(diagnosis, { ...EXAMPLE_LOCATION, provider });
  const named = fix.replace(/^In [^,]+, (.)/, (_, start) => start.toUpperCase());
  return pastes.reduce(
    (text, { value }) =>
      text.replace(
        new RegExp(`(?<=[ :])${value.replace(/\W/g, "\\$&")}(?=$|[ ,]|\\.(?: |$))`),
        `\`${value}\``,
      ),
    named.replace(/(?<=\bat )_[\w.-]+\w/g, "`$&`"),
  );
}

/** Returns a diagnosis's page, or null. `atProviders` has the fix at each; empty if it is the same everywhere. */
export function diagnosisPage(code: string, words: InstallationWords) {
  if (!isOneOf(DIAGNOSIS_CODES, code)) return null;
  const { title, meaning, happened, steps } = DIAGNOSES[code];
  const example = exampleOf(code);
  const atProviders = providerLinks().map((link) => ({ ...link, fix: fixFor(example, link.id) }));
  const isSame =
    example.awaits !== "claimant" || new Set(atProviders.map(({ fix }) => fix)).size === 1;
  const page = {
    title,
    meaning,
    happened,
    steps,
    lessons: digLessons(code, DIG_NAMES).map(({ ask, answer, means }) => ({
      command: `dig ${ask}`,
      answer: answer.join("\n"),
      means,
    })),
    atProviders: isSame ? [] : atProviders,
    example: { ...example, ...sentencesFor(example, EXAMPLE_LOCATION) },
  };
  return withInstallationWords(page, words);
}
