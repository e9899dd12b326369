import { Form, Link } from "#app/remix/react.ts";
import { Button } from "#app/ui/button.tsx";
import { NameField } from "#app/ui/field.tsx";

/** `guess`: the name probably meant. */
type NameSearchProps = { typed: string; kind?: "primary" | "plain" } & {
  [K in "error" | "guess"]?: string | null;
};

export const NameSearch = ({ typed, error, guess, kind = "primary" }: NameSearchProps) => (
  <Form method="get" action="/zones" className="line">
    <NameField label="Your domain" name="name" typed={typed} error={error} />
    <Button kind={kind}>Check this domain</Button>{" "}
    {guess ? (
      <Link to={`/zones/${guess}`} className="button">
        Use {guess}
      </Link>
    ) : null}
  </Form>
);
