import type { ReactNode } from "react";
import { Form, Link } from "#app/remix/react.ts";
import { Button } from "#app/ui/button.tsx";
import { EmailField, Field } from "#app/ui/field.tsx";
import { useHolder } from "#app/ui/frame.tsx";
import { Page } from "#app/ui/page.tsx";

type AddressFormProps = { typed?: string; callbackPath: string; error?: string | null | undefined };

export const AddressForm = ({ typed = "", callbackPath, error }: AddressFormProps) => (
  <Form method="post" action="/sign-in?index" className="stack">
    <input type="hidden" name="callbackPath" value={callbackPath} />
    <EmailField
      label="Your email address"
      autoComplete="email"
      defaultValue={typed}
      error={error}
    />
    <Button kind="primary">Email me a link</Button>
  </Form>
);

type CodeFormProps = { email: string; code?: string; error?: string };

export const CodeForm = ({ email, code, error }: CodeFormProps) => (
  <Form method="post" action="/sign-in/sent" reloadDocument className="stack">
    <input type="hidden" name="email" value={email} />
    <Field
      label="The six-digit code"
      name="code"
      isMachineText
      inputMode="numeric"
      autoComplete="one-time-code"
      defaultValue={code}
      error={error}
      hint="It is in the subject of the email, and works only in this browser; the link works in any."
      required
      maxLength={12}
    />
    <Button kind="primary">Sign in</Button>
  </Form>
);

export const SignInFailed = ({ title, children }: { title: string; children: ReactNode }) => (
  <Page title={title}>
    <div className="stack">
      {children}
      <p>
        <Link to="/sign-in" className="button primary">
          {useHolder() ? "Your domains" : "Ask for a new link"}
        </Link>
      </p>
    </div>
  </Page>
);
