import { Form } from "#app/remix/react.ts";
import { Button } from "#app/ui/button.tsx";
import { NameField } from "#app/ui/field.tsx";

type NameSearchProps = { typed: string; error?: string | null; kind?: "primary" | "plain" };

export function NameSearch({ typed, error, kind = "primary" }: NameSearchProps) {
  return (
    <Form method="get" action="/zones" className="line">
      <NameField label="Your domain" name="name" typed={typed} error={error} />
      <Button kind={kind}>Check this domain</Button>
    </Form>
  );
}
