import { Link } from "@remix-run/react";
import { Copy, Value } from "#app/ui/copy.tsx";
import type { ProviderLabels, RecordSnippets as Snippets } from "./record-texts.ts";

export type FieldValue = { field: string; value: string };

type PanelFieldsProps = {
  fields: FieldValue[];
  of?: string;
  /** The fields to change, which are marked. */
  changed?: string[];
};

export function PanelFields({ fields, of = "", changed = [] }: PanelFieldsProps) {
  return (
    <dl className="fields">
      {fields.map(({ field, value }) => (
        <div key={field} className={changed.includes(field) ? "changed" : undefined}>
          <dt>{field}</dt>{" "}
          <dd>
            <Value text={value} what={`${field} ${of}`.trim()} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** The whole record, as its panel asks for it. */
export const fieldsOf = (labels: ProviderLabels): FieldValue[] => [
  { field: labels.type, value: "TXT" },
  { field: labels.host, value: labels.hostToType },
  { field: labels.value, value: labels.valueToType },
  { field: "TTL", value: labels.ttl },
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
      <Snippet title="Zone file" text={snippets.bind} />
      <Snippet title="octoDNS" text={snippets.octodns} />
      <Snippet title="nsupdate" text={snippets.nsupdate} />
      <Snippet title="dig" text={snippets.dig.join("\n")} />
    </>
  );
}
