import { identityProviderLabel } from "#app/features/sign-in/oidc.server.ts";
import { SignInFailed } from "#app/features/sign-in/view/sign-in.tsx";
import { getApp } from "#app/http/app.server.ts";
import { json, type LoaderFunctionArgs } from "#app/remix/node.server.ts";
import { useLoaderData } from "#app/remix/react.ts";

export function loader({ request }: LoaderFunctionArgs) {
  const reason = new URL(request.url).searchParams.get("reason");
  const provider = identityProviderLabel(getApp()) ?? "the identity provider";
  return json({ says: says(reason, provider) }, { status: 401 });
}

export const meta = () => [{ title: "Not signed in · Deed" }];

export default function Failed() {
  return (
    <SignInFailed title="You are not signed in">
      <p>{useLoaderData<typeof loader>().says}</p>
    </SignInFailed>
  );
}

function says(reason: string | null, provider: string): string {
  switch (reason) {
    case "identity":
      return `Your account is connected to another identity of ${provider}, and can have only one. Nothing was changed. Sign in with that identity, or by email.`;
    case "sign_up":
      return `${provider} accepted you, but your address cannot open an account here. Ask the operator of this service to add you, or a person with an account here to invite you.`;
    case "disabled":
      return "This account is disabled. The operator of this service can enable it again.";
    default:
      return "Signing in with the other service failed. You may have taken too long, reloaded the page, or tried too often. Or the other service has not confirmed your email address, or this browser refuses cookies. Nothing was changed. Try again, or sign in by email.";
  }
}
