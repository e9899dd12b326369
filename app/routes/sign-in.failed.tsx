import { json, type LoaderFunctionArgs } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { identityProviderLabel } from "#app/auth/oidc.server.ts";
import { SignInFailed } from "#app/components/account/sign-in.tsx";
import { getApp } from "#app/http/app.server.ts";

export function loader({ request }: LoaderFunctionArgs) {
  const reason = new URL(request.url).searchParams.get("reason");
  const provider = identityProviderLabel(getApp()) ?? "the identity provider";
  return json({ reason, provider }, { status: 401 });
}

export const meta = () => [{ title: "Not signed in · Deed" }];

export default function Failed() {
  const { reason, provider } = useLoaderData<typeof loader>();
  return <SignInFailed title="You are not signed in">{sentences(reason, provider)}</SignInFailed>;
}

function sentences(reason: string | null, provider: string): string {
  switch (reason) {
    case "identity":
      return `The account of your address is joined to another identity of ${provider}, and can be joined to one only. Nothing was changed. Sign in with that identity, or by mail.`;
    case "closed":
      return `${provider} knows you, but this installation does not take new accounts from your address. Ask whoever runs it to add you, or somebody with an account here to invite you.`;
    case "disabled":
      return "This account is disabled. Whoever runs this installation can enable it again.";
    default:
      return "What came back from the other service could not be accepted: it took too long, was opened twice, was tried too often, or named no confirmed e-mail address. A browser that refuses cookies cannot sign in. Nothing was changed. Try again, or sign in by mail.";
  }
}
