import { Link } from "#app/remix/react.ts";
import { Copy, Value } from "#app/ui/copy.tsx";
import { Fold } from "#app/ui/page.tsx";
import type { ProviderLabels, RecordSnippets as Snippets } from "./record-texts.ts";

/** All fields of the record in the panel's words. `changed`: the fields to change, which come first. */
export function PanelFields({ labels, changed = [], type = "TXT" }: PanelFieldsProps) {
  const { host, value, hostToType, valueToType, ttl } = labels;
  const fields = { [labels.type]: type, [host]: hostToType, [value]: valueToType, TTL: ttl };
  return (
    <dl className="fields">
      {Object.entries(fields)
        .sort(([one], [other]) => Number(changed.includes(other)) - Number(changed.includes(one)))
        .map(([field, value]) => (
          <div key={field} className={changed.includes(field) ? "changed" : undefined}>
            <dt>{field}</dt>{" "}
            <dd>
              <Value text={value} what={field} />
            </dd>
          </div>
        ))}
    </dl>
  );
}

type PanelLinkProps = { labels: ProviderLabels; kind?: "primary" | "plain" };

export const PanelLink = ({ labels: { url, provider }, kind = "primary" }: PanelLinkProps) =>
  url === null ? null : (
    <a href={url} className={`button ${kind}`} target="_blank" rel="noopener noreferrer">
      Open {provider} DNS settings{"\u00a0"}
      <span aria-hidden="true">↗</span>
      <span className="unseen"> (opens in a new tab)</span>
    </a>
  );

export const GuideLink = ({ labels: { guide, provider } }: { labels: ProviderLabels }) => (
  <p className="sans">
    <Link to={guide}>How to do this{provider === null ? "" : ` at ${provider}`}</Link>
  </p>
);

type PanelFieldsProps = { labels: ProviderLabels; changed?: string[]; type?: string };

const Snippet = ({ title, text }: { title: string; text: string }) => (
  <div>
    <div className="row apart">
      <span className="label">{title}</span> <Copy text={text} what={title} />
    </div>
    <pre>
      <code>{text}</code>
    </pre>
  </div>
);

type RecordFormsProps = { labels: ProviderLabels; snippets: Snippets };

export const RecordForms = ({ labels, snippets }: RecordFormsProps) => (
  <Fold title="Other formats (zone file, Terraform, nsupdate)">
    <p>
      {labels.note} <Link to={labels.guide}>Step by step</Link>
    </p>
    <Snippet title="Zone file" text={snippets.bind} />
    <Snippet title="Terraform" text={snippets.terraform} />
    {snippets.cloudflare ? <Snippet title="Cloudflare’s API" text={snippets.cloudflare} /> : null}
    <Snippet title="octoDNS" text={snippets.octodns} />
    <Snippet title="nsupdate" text={snippets.nsupdate} />
    <Snippet title="dig" text={snippets.dig.join("\n")} />
  </Fold>
);
