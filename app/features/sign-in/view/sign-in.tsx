import type { ComponentProps, ReactNode } from "react";
import { Form, Link } from "#app/remix/react.ts";
import { Button } from "#app/ui/button.tsx";
import { Field } from "#app/ui/field.tsx";
import { Page } from "#app/ui/page.tsx";

const EmailField = (
  props: Pick<ComponentProps<typeof Field>, "label" | "defaultValue" | "error">,
) => <Field {...props} name="email" type="email" autoComplete="email" required maxLength={254} />;

type AddressFormProps = { typed?: string; callbackPath: string; error?: string | null | undefined };

export const AddressForm = ({ typed = "", callbackPath, error }: AddressFormProps) => (
  <Form method="post" action="/sign-in?index" className="stack">
    <input type="hidden" name="callbackPath" value={callbackPath} />
    <EmailField label="Your email address" defaultValue={typed} error={error} />
    <Button kind="primary">Email me a link</Button>
  </Form>
);

type CodeFormProps = { typed: string; code: string | undefined; error: string | undefined };

export const CodeForm = ({ typed, code, error }: CodeFormProps) => (
  <Form method="post" action="/sign-in/code" className="stack">
    <EmailField label="The email address it was sent to" defaultValue={typed} />
    <Field
      label="The six-digit code"
      name="code"
      isMachineText
      inputMode="numeric"
      autoComplete="one-time-code"
      defaultValue={code}
      error={error}
      hint="Use the latest email. Valid for 15 minutes."
      required
      maxLength={12}
    />
    <Button kind="primary">Sign in</Button>
  </Form>
);

type FailedProps = { title: string; lead?: string; children: ReactNode; again?: string };

export const SignInFailed = ({ title, lead, children, again = "link" }: FailedProps) => (
  <Page title={title} lead={lead}>
    <div className="stack">
      {children}
      <p>
        <Link to="/sign-in" className="button">
          Ask for a new {again}
        </Link>
      </p>
    </div>
  </Page>
);

/** Shown instead of the code form if this browser has not requested a code. */
export const NoPendingSignIn = () => (
  <SignInFailed
    title="No code works in this browser"
    lead="A code works for 15 minutes, and only in the browser that asked for it."
    again="mail"
  >
    <p>
      Either nobody asked for an email here in that time, or this browser refuses cookies. Signing
      in needs them: allow cookies for this site, then ask again.
    </p>
    <p>The link in the email works in any browser that accepts cookies.</p>
  </SignInFailed>
);
