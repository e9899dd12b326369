import { DeedError } from "#app/core/errors.server.ts";
import { dotlessWarning, guessName, normaliseName } from "#app/core/names/domain-name.ts";
import { provePath } from "#app/core/names/prove-path.ts";
import { iso } from "#app/core/time.ts";
import { NameSearch } from "#app/features/domains/view/name-search.tsx";
import { identityProviderLabel } from "#app/features/sign-in/oidc.server.ts";
import { AddressForm } from "#app/features/sign-in/view/sign-in.tsx";
import { publicPath, undelegatedPath } from "#app/features/zones/record-path.ts";
import { PathSection } from "#app/features/zones/view/record-path.tsx";
import { managedAtText, ZoneNotices, ZoneSteps } from "#app/features/zones/view/zone.tsx";
import { lookUpZone } from "#app/features/zones/zones.server.ts";
import { getApp } from "#app/http/app.server.ts";
import { connectionOf } from "#app/http/connection.server.ts";
import { addressKey } from "#app/http/limits.server.ts";
import { decodeIfPossible } from "#app/http/log.server.ts";
import { throwPage } from "#app/http/page-errors.server.ts";
import { json, type LoaderFunctionArgs } from "#app/remix/node.server.ts";
import { Form, Link, useLoaderData } from "#app/remix/react.ts";
import { Button } from "#app/ui/button.tsx";
import { useHolder } from "#app/ui/frame.tsx";
import { DomainName } from "#app/ui/name.tsx";
import { Entry, Page, titled } from "#app/ui/page.tsx";
import { Moment } from "#app/ui/time.tsx";

export async function loader({ request, params }: LoaderFunctionArgs) {
  const app = getApp();
  // A segment with an encoded separator is escaped twice here (see readRequestLine), and so is a pasted URL.
  const typed = decodeIfPossible(params.name ?? "");
  const { challengeLabel, witnesses } = app.settings;
  const identityProvider = identityProviderLabel(app);
  const now = iso(app.clock());
  const page = { typed, challengeLabel, identityProvider, now, guess: null };
  const { address, closed } = connectionOf(request);
  try {
    app.limiter.consume({ zones: address });
    const zone = await lookUpZone(app, addressKey(address), typed, closed);
    return json({ ...page, zone, path: publicPath(zone, witnesses), error: null });
  } catch (thrown) {
    if (!(thrown instanceof DeedError) || thrown.code === "rate_limited") return throwPage(thrown);
    const { message, status, code } = thrown;
    if (code !== "no_delegation")
      return json({ ...page, zone: null, path: [], error: message }, { status });
    const { ascii } = normaliseName(typed, challengeLabel);
    const error = dotlessWarning(ascii) ?? message;
    const guess = guessName(ascii);
    return json({ ...page, zone: null, path: undelegatedPath(ascii), error, guess }, { status });
  }
}

export const meta = titled<typeof loader>(
  ({ zone, typed }) => zone?.delegation.domain.unicode ?? typed,
);

export default function ZonePage() {
  const { typed, zone, path, error, guess, challengeLabel, identityProvider, now } =
    useLoaderData<typeof loader>();
  if (!zone)
    return (
      <Page title={<bdi>{typed}</bdi>}>
        <Entry title="Try again">
          <NameSearch key={typed} typed={typed} error={error} guess={guess} />
          {path.length > 0 && typed.includes(".") ? (
            <p>
              If the spelling is right and the domain is yours, ask your registrar whether it is
              registered, and enter its nameservers there.
            </p>
          ) : null}
        </Entry>
        <PathSection title="What was found" path={path} tone="needs" />
      </Page>
    );
  const { domain, provider, observedAt } = zone.delegation;
  return (
    <Page
      above={
        <span>
          What anyone can see, checked <Moment at={observedAt} now={now} form="ago" />
        </span>
      }
      title={<DomainName ascii={domain.ascii} unicode={domain.unicode} />}
      lead={managedAtText(provider)}
    >
      <div className="stack after">
        <ZoneNotices domain={domain} />
      </div>
      <PathSection title="Where your record will go" path={path} tone="ended" />
      <ZoneSteps ascii={domain.ascii} challengeLabel={challengeLabel} />
      <Prove name={domain.ascii} provider={identityProvider} />
      <Entry title="Another domain">
        <NameSearch key={typed} typed="" error={null} kind="plain" />
      </Entry>
    </Page>
  );
}

/** Opens a claim; visitors are asked for an address first, and signing in opens it. */
function Prove({ name, provider }: { name: string; provider: string | null }) {
  if (useHolder()) {
    return (
      <Form method="post" action="/domains?index" className="after">
        <input type="hidden" name="domain" value={name} />
        <Button kind="primary" intent="sure">
          Prove it
        </Button>
      </Form>
    );
  }
  return (
    <Entry title="Prove that you control it">
      <AddressForm callbackPath={provePath(name)} />
      <p className="soft">
        No password needed. The link in the email signs you in and shows your record.{" "}
        {provider ? (
          <Link to={`/sign-in?next=${encodeURIComponent(provePath(name))}`}>
            Sign in with {provider}
          </Link>
        ) : null}
      </p>
    </Entry>
  );
}
