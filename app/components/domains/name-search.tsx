import { Form } from "@remix-run/react";
import { Button } from "../ui/button.tsx";
import { NameField } from "../ui/field.tsx";

/** The search field of the landing page: takes a name and reads its zone. */
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
      <NameField label="Which name?" name="name" typed={typed} error={error} />
      <Button kind={kind}>Read its zone</Button>
    </Form>
  );
}
