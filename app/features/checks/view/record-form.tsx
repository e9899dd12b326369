import { Form } from "#app/remix/react.ts";
import { Button } from "#app/ui/button.tsx";
import { Field } from "#app/ui/field.tsx";
import { RECORD_TYPES, type TypedRecord } from "../pasted-record.ts";

type RecordFormProps = { typed: TypedRecord; errors: Record<string, string | null> };

const LINES = { rows: 2, isMachineText: true };

/** A POST, so that no crawler causes a read. */
export const RecordForm = ({ typed: { name, type, value }, errors }: RecordFormProps) => (
  <Form method="post" action="/check" className="stack" key={`${name} ${type} ${value}`}>
    <Field
      label="Name"
      name="name"
      hint={'Or paste the whole record, and leave Value empty: _x.example.com TXT "…"'}
      error={errors.name}
      {...LINES}
      defaultValue={name}
    />
    <Field
      label="Type"
      name="type"
      options={Object.fromEntries(RECORD_TYPES.map((one) => [one, one]))}
      defaultValue={type}
    />
    <Field label="Value" name="value" {...LINES} error={errors.value} defaultValue={value} />
    <Button kind="primary">Check this record</Button>
  </Form>
);

export const PasteForm = () => (
  <Form method="post" action="/check" className="stack">
    <Field
      label="The record that you added"
      name="name"
      {...LINES}
      placeholder={'_x.example.com TXT "…"'}
      required
    />
    <Button>Check this record</Button>
  </Form>
);
