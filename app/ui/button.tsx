import type { ReactNode } from "react";
import { Form, useNavigation } from "#app/remix/react.ts";

export type ButtonKind = "primary" | "plain" | "danger" | "quiet" | "linkish";
type ButtonProps = { kind?: ButtonKind; intent?: string; children: ReactNode };

/** Submits its form. `intent` names the action in a form with several; Lynx shows the value too. */
export const Button = ({ kind = "plain", intent, children }: ButtonProps) => (
  <button
    type="submit"
    className={kind === "plain" ? undefined : kind}
    {...(intent ? { name: "intent", value: intent } : {})}
  >
    {children}
  </button>
);

/** `busy`: the label while the action runs. */
type ActionButtonProps = ButtonProps & { intent: string; fields?: Record<string, string> } & {
  [K in "action" | "busy" | "at"]?: string;
};

/** A form with one button. `at`: when the page was served; some browsers do not send the same form twice. */
export function ActionButton(button: ActionButtonProps) {
  const { intent, fields = {}, action, kind, busy, at, children } = button;
  const navigation = useNavigation();
  const isPending = navigation.state !== "idle" && navigation.formData?.get("intent") === intent;
  return (
    // Keyed by intent, so that focus does not move to another action's button.
    <Form key={intent} method="post" action={action} replace={at !== undefined} preventScrollReset>
      {at ? <input type="hidden" name="at" value={at} /> : null}
      {Object.entries({ ...fields, intent }).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      <Button kind={kind}>{isPending && busy ? busy : children}</Button>
    </Form>
  );
}
