import { Form, Link } from "#app/remix/react.ts";
import { Button } from "#app/ui/button.tsx";
import { NameField } from "#app/ui/field.tsx";

/** `meant`: the name probably meant. */
type NameSearchProps = { typed: string; kind?: "primary" | "plain" } & {
  [K in "error" | "meant"]?: string | null;
};

export const NameSearch = ({ typed, error, meant, kind = "primary" }: NameSearchProps) => (
  <Form method="get" action="/zones" className="line">
    <NameField label="Your domain" name="name" typed={typed} error={error} />
    <Button kind={kind}>Check this domain</Button>{" "}
    {meant ? (
      <Link to={`/zones/${meant}`} className="button">
        Use {meant}
      </Link>
    ) : null}
  </Form>
);
