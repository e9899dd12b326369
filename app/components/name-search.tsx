import { Form } from "@remix-run/react";
import { Button } from "./button.tsx";
import { Field } from "./field.tsx";

/** The one field of the landing: a name, whose zone is then read. */
export function NameSearch({
  typed,
  error,
  kind = "primary",
}: {
  typed: string;
  error?: string | null;
  kind?: "primary" | "plain";
}) {
  return (
    <Form method="get" action="/zones" className="line">
      <Field
        label="Which name?"
        name="name"
        dns
        defaultValue={typed}
        error={error}
        placeholder="example.com"
        autoComplete="off"
        inputMode="url"
        required
        maxLength={2048}
      />
      <Button kind={kind}>Read its zone</Button>
    </Form>
  );
}
