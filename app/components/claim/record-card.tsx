import type { ReactNode } from "react";
import type { ProviderLabels } from "#app/services/screens/provider-labels.ts";
import { Copy, Value } from "../ui/copy.tsx";

type Hands = { bind: string; nsupdate: string; dig: string[] };

/** The record as the fields of a DNS panel, each to select or copy. */
export function RecordCard({ words }: { words: ProviderLabels }) {
  const rows: [string, ReactNode][] = [
    [words.type, <code key="type">TXT</code>],
    [words.host, <Value key="host" text={words.hostToType} what={words.host} />],
    [words.value, <Value key="value" text={words.valueToType} what={words.value} />],
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
      <p className="soft">{words.note}</p>
    </div>
  );
}

function Lines({ title, text }: { title: string; text: string }) {
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
export function RecordByHand({ hands }: { hands: Hands }) {
  return (
    <details>
      <summary>As a zone-file line, for nsupdate, and to check with dig</summary>
      <div className="stack">
        <Lines title="Zone file" text={hands.bind} />
        <Lines title="nsupdate" text={hands.nsupdate} />
        <Lines title="dig" text={hands.dig.join("\n")} />
      </div>
    </details>
  );
}
