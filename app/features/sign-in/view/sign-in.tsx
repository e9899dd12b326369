import { Form, Link } from "@remix-run/react";
import type { ReactNode } from "react";
import { Button } from "#app/ui/button.tsx";
import { Field } from "#app/ui/field.tsx";
import { Page } from "#app/ui/page.tsx";

type AddressFormProps = { typed?: string; callbackPath: string; error?: string | null | undefined };

/** Asks for the address to send the sign-in mail to. */
export function AddressForm({ typed = "", callbackPath, error }: AddressFormProps) {
  return (
    <Form method="post" action="/sign-in?index" className="stack">
      <input type="hidden" name="callbackPath" value={callbackPath} />
      <Field
        label="Your email address"
        name="email"
        type="email"
        autoComplete="email"
        defaultValue={typed}
        error={error}
        required
        maxLength={254}
      />
      <Button kind="primary">Email me a link</Button>
    </Form>
  );
}

type CodeFormProps = {
  email?: string;
  typed?: string;
  /** The code that was typed and refused. */
  code?: string | undefined;
  error?: string | null | undefined;
};

/** Takes the six-digit code from a sign-in mail. Asks for the address too unless `email` is given. */
export function CodeForm({ email, typed = "", code, error }: CodeFormProps) {
  return (
    <Form method="post" action="/sign-in/code" className="stack">
      {email ? (
        <input type="hidden" name="email" value={email} />
      ) : (
        <Field
          label="The email address it was sent to"
          name="email"
          type="email"
          autoComplete="email"
          defaultValue={typed}
          required
          maxLength={254}
        />
      )}
      <Field
        label="The six-digit code"
        name="code"
        isMachineText
        inputMode="numeric"
        autoComplete="one-time-code"
        defaultValue={code}
        error={error}
        hint="From the newest mail you asked for in this browser. It works for 15 minutes and five tries."
        required
        maxLength={12}
      />
      <Button kind="primary">Sign in</Button>
    </Form>
  );
}

/** Shown instead of the code form if this browser has not requested a code. */
export function NoPendingSignIn() {
  return (
    <Page
      title="No code works in this browser"
      lead="A code works for 15 minutes, and only in the browser that asked for it."
    >
      <div className="stack">
        <p>
          Either nobody asked for a mail here in that time, or this browser refuses cookies. Signing
          in needs them: allow cookies for this site, then ask again.
        </p>
        <p>The link in the mail works in any browser that accepts cookies.</p>
        <p>
          <Link to="/sign-in" className="button">
            Ask for a new mail
          </Link>
        </p>
      </div>
    </Page>
  );
}

/** A failed sign-in, with a way to start again. */
export function SignInFailed({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Page title={title}>
      <div className="stack">
        <p>{children}</p>
        <p>
          <Link to="/sign-in" className="button">
            Ask for a new link
          </Link>
        </p>
      </div>
    </Page>
  );
}
