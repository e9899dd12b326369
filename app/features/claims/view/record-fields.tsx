import { Link } from "@remix-run/react";
import { Copy, Value } from "#app/ui/copy.tsx";
import { Facts } from "#app/ui/page.tsx";
import type { ProviderLabels, RecordSnippets as Snippets } from "./record-texts.ts";

export type FieldValue = { field: string; value: string };

export function PanelFields({ fields, of = "" }: { fields: FieldValue[]; of?: string }) {
  return (
    <dl className="fields">
      {fields.map(({ field, value }) => (
        <div key={field}>
          <dt>{field}</dt>{" "}
          <dd>
            <Value text={value} what={`${field} ${of}`.trim()} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

export const fieldsOf = (labels: ProviderLabels): FieldValue[] => [
  { field: labels.host, value: labels.hostToType },
  { field: labels.value, value: labels.valueToType },
];

function Snippet({ title, text }: { title: string; text: string }) {
  return (
    <div>
      <div className="row apart">
        <span className="label">{title}</span> <Copy text={text} what={title} />
      </div>
      <pre>
        <code>{text}</code>
      </pre>
    </div>
  );
}

export function RecordForms({ labels, snippets }: { labels: ProviderLabels; snippets: Snippets }) {
  return (
    <>
      <p>
        {labels.note} <Link to={labels.guide}>Step by step</Link>
      </p>
      <PanelFields fields={fieldsOf(labels)} of="of the record" />
      <Facts
        rows={[
          [labels.type, <code key="type">TXT</code>],
          ["TTL", "leave it as it is, or the shortest"],
        ]}
      />
      <Snippet title="Zone file" text={snippets.bind} />
      <Snippet title="octoDNS" text={snippets.octodns} />
      <Snippet title="nsupdate" text={snippets.nsupdate} />
      <Snippet title="dig" text={snippets.dig.join("\n")} />
    </>
  );
}
