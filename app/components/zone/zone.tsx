import type { DelegationFrame, PublishingFrame } from "#app/services/resources.ts";
import { DomainName } from "../ui/name.tsx";
import { Notice } from "../ui/notice.tsx";
import { Entry, Facts } from "../ui/page.tsx";
import { durationText, Moment } from "../ui/time.tsx";

export type Zone = { delegation: DelegationFrame; publishing: PublishingFrame };

const PROVIDERS: Record<DelegationFrame["provider"], string> = {
  cloudflare: "Cloudflare",
  route53: "Amazon Route 53",
  godaddy: "GoDaddy",
  namecheap: "Namecheap",
  "google-domains": "Google Domains",
  vercel: "Vercel",
  other: "not one we recognise by its nameservers",
};

/** A provider's display name; null if it is unknown. */
export const providerName = (provider: string | null): string | null =>
  provider !== null && provider !== "other" && provider in PROVIDERS
    ? PROVIDERS[provider as DelegationFrame["provider"]]
    : null;

const NORMALISATIONS: Record<string, string> = {
  trimmed: "spaces around it were dropped",
  scheme_removed: "the https:// in front was dropped",
  userinfo_removed: "what stood before the @ was dropped",
  path_removed: "what stood after the name was dropped",
  port_removed: "the port was dropped",
  trailing_dot_removed: "the dot at the end was dropped",
  wildcard_removed: "the *. in front was dropped",
  challenge_label_removed: "the challenge label in front was dropped",
  lowercased: "capitals were made small",
  idna_mapped: "letters were brought to their standard form",
  punycode_encoded: "it was written in its ASCII form",
  www_removed: "www. was dropped: a domain is proved at its own name",
};

const publishingText = (minutes: number | null) =>
  minutes === null
    ? "its DNS host does not say"
    : `about ${durationText(minutes * 60)} after it is saved`;

/** The public facts about a zone. */
export function ZoneFacts({
  zone: { delegation, publishing },
  challengeLabel,
}: {
  zone: Zone;
  challengeLabel: string;
}) {
  const { domain, nameservers, provider, normalisations } = {
    ...delegation,
    normalisations: delegation.domain.normalisations,
  };
  return (
    <>
      {normalisations.length > 0 ? (
        <Notice title={`Read as ${domain.ascii}`}>
          <p>{normalisations.map((step) => NORMALISATIONS[step] ?? step).join("; ")}.</p>
        </Notice>
      ) : null}
      {domain.isPublicSuffix ? (
        <Notice tone="waiting" title="This is a public suffix">
          <p>
            Names directly below it belong to other people. It can be claimed by whoever controls
            its zone.
          </p>
        </Notice>
      ) : null}
      <Entry title="The zone">
        <Facts
          rows={[
            [
              "Name",
              <span key="name" className="mono">
                <DomainName ascii={domain.ascii} unicode={domain.unicode} />
              </span>,
            ],
            ["DNS host", PROVIDERS[provider]],
            [
              "Nameservers",
              <ul key="servers" className="plain mono">
                {nameservers.map((host) => (
                  <li key={host}>
                    <bdi>{host}</bdi>
                  </li>
                ))}
              </ul>,
            ],
            ["A new record is served", publishingText(publishing.publishingMinutes)],
            [
              "“Not there” is kept",
              publishing.negativeCacheTtlSeconds === null
                ? "the zone does not say how long"
                : `for ${durationText(publishing.negativeCacheTtlSeconds)} by resolvers that asked too early`,
            ],
            [
              "Read",
              <span key="read">
                <Moment at={delegation.observedAt} />
                {delegation.cached ? "; not asked again since" : null}
              </span>,
            ],
          ]}
        />
      </Entry>
      <Entry title="What is asked">
        <p>
          One TXT record at{" "}
          <code>
            {challengeLabel}.{domain.ascii}
          </code>{" "}
          with a token as its value. Deed finds it by itself, within seven days, and it can be
          deleted once it was found.
        </p>
      </Entry>
    </>
  );
}
