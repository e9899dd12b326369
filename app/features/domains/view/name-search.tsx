import { Form } from "@remix-run/react";
import { Button } from "#app/ui/button.tsx";
import { NameField } from "#app/ui/field.tsx";

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
      <NameField label="Your domain" name="name" typed={typed} error={error} />
      <Button kind={kind}>Check this domain</Button>
    </Form>
  );
}
