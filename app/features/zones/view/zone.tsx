import { providerName } from "@deed/dns/words/providers.ts";
import { PUBLIC_SUFFIX_WARNING } from "#app/core/names/warnings.ts";
import type { DelegationFrame } from "#app/features/zones/resources.ts";
import { Dotted } from "#app/ui/name.tsx";
import { Entry, Notice } from "#app/ui/page.tsx";

export function managedAtText(provider: string): string {
  const name = providerName(provider);
  return name ? `Its DNS is managed at ${name}.` : "Deed does not recognize its DNS provider.";
}

const NORMALISATIONS: Record<string, string> = {
  trimmed: "the spaces around it",
  scheme_removed: "http:// or https:// in front",
  userinfo_removed: "what came before the @",
  path_removed: "what came after the domain",
  port_removed: "the port",
  trailing_dot_removed: "the dot at the end",
  wildcard_removed: "*. in front",
  challenge_label_removed: "the record’s name in front",
  www_removed: "www. in front: a domain is proved without it",
};

export const SuffixNotice = () => (
  <Notice tone="waiting">
    <p>{PUBLIC_SUFFIX_WARNING}</p>
  </Notice>
);

export function ZoneNotices({ domain }: { domain: DelegationFrame["domain"] }) {
  const parts = domain.normalisations.flatMap((step) => NORMALISATIONS[step] ?? []);
  return (
    <>
      {domain.normalisations.length > 0 ? (
        <Notice
          title={
            <>
              Checked as <Dotted name={domain.ascii} />
            </>
          }
        >
          {parts.length > 0 ? <p>Left out: {parts.join("; ")}.</p> : null}
        </Notice>
      ) : null}
      {domain.isPublicSuffix ? <SuffixNotice /> : null}
    </>
  );
}

export const ZoneSteps = ({
  ascii,
  challengeLabel,
}: Record<"ascii" | "challengeLabel", string>) => (
  <Entry title="What you will do">
    <p>
      Add one TXT record at{" "}
      <code>
        <Dotted name={`${challengeLabel}.${ascii}`} />
      </code>
      . Deed checks automatically for seven days and emails you when it is found. Then you can
      delete it.
    </p>
    <p>A resolver that is asked before your record is there repeats “not found” for a while.</p>
  </Entry>
);
