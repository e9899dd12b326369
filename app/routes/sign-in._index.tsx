import { oneCall, publicAction, type RouteArgs } from "#app/api/page.server.ts";
import { nameToProve } from "#app/core/names/prove-path.ts";
import { authEndpoints } from "#app/features/sign-in/api.server.ts";
import { safeCallbackPath } from "#app/features/sign-in/magic-link.server.ts";
import { identityProviderLabel } from "#app/features/sign-in/oidc.server.ts";
import { AddressForm } from "#app/features/sign-in/view/sign-in.tsx";
import { getApp } from "#app/http/app.server.ts";
import { sessionToken } from "#app/http/caller/cookies.server.ts";
import { sessionOf } from "#app/http/caller/session.server.ts";
import { redirect } from "#app/remix/node.server.ts";
import { useActionData, useLoaderData } from "#app/remix/react.ts";
import { Entry, Page } from "#app/ui/page.tsx";

export async function loader({ request }: RouteArgs) {
  const app = getApp();
  const { searchParams } = new URL(request.url);
  const next = searchParams.get("next");
  const callback = safeCallbackPath(app.settings.baseUrl, next);
  if (await sessionOf(request)) throw redirect(callback, 303);
  const proving = nameToProve(callback);
  const isSessionOver = (await sessionToken(app.env, request)) !== null;
  return {
    callbackPath: callback,
    proving,
    /** Why the requested page is not shown; empty if none was requested. */
    why: `${searchParams.has("deleted") ? "The account has been deleted. " : ""}${isSessionOver ? "Your session has ended. " : ""}${next && !proving ? "Sign in to open that page. " : ""}`,
    provider: identityProviderLabel(app),
    isOpen: app.settings.signUp === "open",
  };
}

export const action = (args: RouteArgs) => {
  const callbackOf = (form: URLSearchParams) =>
    safeCallbackPath(getApp().settings.baseUrl, form.get("callbackPath"));
  return publicAction(
    args,
    oneCall(authEndpoints.sendMagicLink, "/sign-in/sent", ({ form, field }) => ({
      body: { email: field("email"), callbackPath: callbackOf(form) },
    })),
    ({ problem }, form) => ({
      typed: form?.get("email") ?? "",
      callbackPath: form ? callbackOf(form) : "",
      error:
        problem.code === "invalid_request"
          ? "This is not an email address. Type it as name@example.org."
          : problem.message,
    }),
  );
};

export const meta = () => [{ title: "Sign in · Deed" }];

export default function SignIn() {
  const { callbackPath, proving, why, provider, isOpen } = useLoaderData<typeof loader>();
  const refusal = useActionData<typeof action>();
  const callback = refusal?.callbackPath || callbackPath;
  return (
    <Page
      title={
        proving ? (
          <>
            Sign in to prove <bdi>{proving}</bdi>
          </>
        ) : (
          "Sign in"
        )
      }
      lead={`${why}No password needed. ${isOpen ? "The first time, this also creates your account." : "This installation is closed: you get an email only if you may sign in."}`}
    >
      <div className="stack after">
        <p>You get a link, and a code in case you read your email on another device.</p>
        <AddressForm typed={refusal?.typed ?? ""} callbackPath={callback} error={refusal?.error} />
      </div>
      {provider ? (
        <Entry title="Or another way">
          <p>
            <a
              className="button"
              href={`/api/auth/oidc?callbackPath=${encodeURIComponent(callback)}`}
              rel="nofollow"
            >
              Continue with {provider}
            </a>
          </p>
        </Entry>
      ) : null}
    </Page>
  );
}
