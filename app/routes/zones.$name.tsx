import { json, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/node";
import { Form, Link, useLoaderData } from "@remix-run/react";
import { NameSearch } from "#app/components/domains/name-search.tsx";
import { Button } from "#app/components/ui/button.tsx";
import { useHolder } from "#app/components/ui/holder.ts";
import { Entry, Page } from "#app/components/ui/page.tsx";
import { ZoneFacts } from "#app/components/zone/zone.tsx";
import { getApp } from "#app/http/app.server.ts";
import { connectionOf } from "#app/http/connection.server.ts";
import { addressKey, consumeBudget } from "#app/http/limits.server.ts";
import { throwPage } from "#app/http/page-errors.server.ts";
import { DeedError } from "#app/services/errors.server.ts";
import { lookUpZone } from "#app/services/zones/zones.server.ts";

/** A segment with an encoded separator arrives escaped twice (see readRequestLine), as does a pasted URL. */
function asTyped(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

export async function loader({ request, params }: LoaderFunctionArgs) {
  const app = getApp();
  const typed = asTyped(params.name ?? "");
  const { challengeLabel } = app.settings;
  const { address, closed } = connectionOf(request);
  await consumeBudget(app, "zones", address).catch(throwPage);
  try {
    const zone = await lookUpZone(app, addressKey(address), typed, closed);
    return json({ typed, challengeLabel, zone, error: null });
  } catch (thrown) {
    if (!(thrown instanceof DeedError) || thrown.code === "rate_limited") return throwPage(thrown);
    const { message, status } = thrown;
    return json({ typed, challengeLabel, zone: null, error: message }, { status });
  }
}

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: `${data?.zone?.delegation.domain.ascii ?? "Not read"} · zone · Deed` },
];

export default function ZonePage() {
  const { typed, zone, error, challengeLabel } = useLoaderData<typeof loader>();
  return (
    <Page
      above="The zone as anybody can read it"
      title={<bdi>{zone?.delegation.domain.unicode ?? typed}</bdi>}
    >
      {zone ? (
        <>
          <ClaimForm name={zone.delegation.domain.ascii} />
          <ZoneFacts zone={zone} challengeLabel={challengeLabel} />
        </>
      ) : null}
      <Entry title={zone ? "Another name" : "Try again"}>
        <NameSearch
          key={typed}
          typed={zone ? "" : typed}
          error={error}
          kind={zone ? "plain" : "primary"}
        />
      </Entry>
    </Page>
  );
}

function ClaimForm({ name }: { name: string }) {
  if (useHolder()) {
    return (
      <Form method="post" action="/domains?index" className="after">
        <input type="hidden" name="domain" value={name} />
        <Button kind="primary" intent="claim">
          Claim this name
        </Button>
      </Form>
    );
  }
  const back = `/domains?add=${encodeURIComponent(name)}`;
  return (
    <p className="after">
      <Link to={`/sign-in?next=${encodeURIComponent(back)}`} className="button primary">
        Sign in to claim this name
      </Link>
    </p>
  );
}
