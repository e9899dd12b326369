import { Children, type ReactNode } from "react";
import { Form, Link, useActionData } from "#app/remix/react.ts";
import { Button } from "./button.tsx";
import { DomainName } from "./name.tsx";
import { Entry, Page, Problem } from "./page.tsx";

/** `consequences`: one sentence each, unless null or false. `action`: by default this page. `isForGood`: by default true. */
type ConfirmProps = Record<"title" | "actionLabel" | "back", string> & {
  above: ReactNode;
  consequences: ReactNode[];
  action?: string;
  isForGood?: boolean;
  children?: ReactNode;
};

export function Confirm(props: ConfirmProps) {
  const { above, title, consequences, actionLabel, action, back, isForGood = true } = props;
  const refusal = useActionData<{ problem: { message: string } | null }>();
  return (
    <Page above={above} title={title}>
      <Entry title="What happens">
        <ul>{Children.map(consequences, (each) => (each ? <li>{each}</li> : null))}</ul>
      </Entry>
      <Entry title="Confirm">
        <Form method="post" action={action} className="stack">
          <input type="hidden" name="intent" value="confirm" />
          {props.children}
          <Problem message={refusal?.problem?.message} />
          <div className="row">
            <Button kind={isForGood ? "danger" : "primary"}>{actionLabel}</Button>{" "}
            <Link to={back} className="button">
              Cancel
            </Link>
          </div>
        </Form>
      </Entry>
    </Page>
  );
}

type Domain = { id: string; name: string; unicodeName: string; reference: string | null };

type ConfirmDomainProps = Omit<ConfirmProps, "above" | "back"> & { domain: Domain };

export function ConfirmDomain({ domain, ...props }: ConfirmDomainProps) {
  const { id, name, unicodeName, reference } = domain;
  const above = (
    <span>
      <DomainName ascii={name} unicode={unicodeName} reference={reference} />
    </span>
  );
  return <Confirm above={above} back={`/domains/${id}`} {...props} />;
}

export const RECEIPTS_KEPT = "Receipts that were already downloaded can still be checked.";

/** "1 claim", "3 claims". */
export const countText = (count: number, noun: string) =>
  `${count} ${noun}${count === 1 ? "" : "s"}`;

/** "1 claim will be deleted."; false if there is none. */
export const countSentence = (count: number, noun: string, rest: string): string | false =>
  count > 0 && `${countText(count, noun)} ${rest}`;
