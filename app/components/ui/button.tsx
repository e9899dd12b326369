import { Form, useNavigation } from "@remix-run/react";
import type { ReactNode } from "react";

export type ButtonKind = "primary" | "plain" | "danger" | "quiet" | "linkish";

/** Submits its form; with `intent`, says which of the form's acts is meant. */
export function Button({
  kind = "plain",
  intent,
  children,
}: {
  kind?: ButtonKind;
  intent?: string;
  children: ReactNode;
}) {
  return (
    <button
      type="submit"
      className={kind === "plain" ? undefined : kind}
      {...(intent ? { name: "intent", value: intent } : {})}
    >
      {children}
    </button>
  );
}

/** A form of one button, posting `intent` and `fields` to `action` (this page by default). */
export function Act({
  intent,
  fields = {},
  action,
  kind,
  busy,
  children,
}: {
  intent: string;
  fields?: Record<string, string>;
  action?: string;
  kind?: ButtonKind;
  /** What the button says while the act is under way. */
  busy?: string;
  children: ReactNode;
}) {
  const navigation = useNavigation();
  const underWay = navigation.state !== "idle" && navigation.formData?.get("intent") === intent;
  return (
    // Another act is another button: the focus does not slip from one to the next.
    <Form key={intent} method="post" action={action} preventScrollReset>
      {Object.entries(fields).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      <Button kind={kind} intent={intent}>
        {underWay && busy ? busy : children}
      </Button>
    </Form>
  );
}
