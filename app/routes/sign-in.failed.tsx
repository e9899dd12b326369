import { json } from "@remix-run/node";
import { SignInFailed } from "#app/components/sign-in.tsx";

export const loader = () => json(null, { status: 401 });

export const meta = () => [{ title: "Not signed in · Deed" }];

export default function Failed() {
  return (
    <SignInFailed title="You are not signed in">
      What came back from the other service could not be accepted: it took too long, was opened
      twice, was tried too often, or named no confirmed e-mail address. Nothing was changed. Try
      again, or sign in by mail.
    </SignInFailed>
  );
}
