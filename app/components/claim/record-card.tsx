import type { ReactNode } from "react";
import type { ProviderLabels } from "#app/services/screens/provider-labels.ts";
import type { RecordSnippets as Snippets } from "#app/services/screens/record-snippets.ts";
import { Copy, Value } from "../ui/copy.tsx";

/** The record as the fields of a DNS panel, each to select or copy. */
export function RecordCard({ labels }: { labels: ProviderLabels }) {
  const rows: [string, ReactNode][] = [
    [labels.type, <code key="type">TXT</code>],
    [labels.host, <Value key="host" text={labels.hostToType} what={labels.host} />],
    [labels.value, <Value key="value" text={labels.valueToType} what={labels.value} />],
    ["TTL", "leave it as it is, or the shortest there is"],
  ];
  return (
    <div className="stack">
      <dl className="facts record">
        {rows.map(([name, content]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{content}</dd>
          </div>
        ))}
      </dl>
      <p className="soft">{labels.note}</p>
    </div>
  );
}

function Snippet({ title, text }: { title: string; text: string }) {
  return (
    <div>
      <div className="row apart">
        <span className="label">{title}</span>
        <Copy text={text} what={title} />
      </div>
      <pre>
        <code>{text}</code>
      </pre>
    </div>
  );
}

/** The record for people who do not use a panel, collapsed. */
export function RecordSnippets({ snippets }: { snippets: Snippets }) {
  return (
    <details>
      <summary>As a zone-file line, for nsupdate, and to check with dig</summary>
      <div className="stack">
        <Snippet title="Zone file" text={snippets.bind} />
        <Snippet title="nsupdate" text={snippets.nsupdate} />
        <Snippet title="dig" text={snippets.dig.join("\n")} />
      </div>
    </details>
  );
}
