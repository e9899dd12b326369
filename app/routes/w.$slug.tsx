import { chargeVisitor, publicAction, publicLoader, type RouteArgs } from "#app/api/page.server.ts";
import { claimPath } from "#app/core/names/prove-path.ts";
import { stopWatch, watchAt } from "#app/features/watching/watches.server.ts";
import { redirectToSelf } from "#app/http/body.server.ts";
import { json, type MetaFunction } from "#app/remix/node.server.ts";
import { Link, useLoaderData } from "#app/remix/react.ts";
import { Confirm } from "#app/ui/confirm.tsx";
import { DomainName } from "#app/ui/name.tsx";
import { Page, type PageHandle } from "#app/ui/page.tsx";

export const handle: PageHandle = { document: true };

export const headers = () => ({ "X-Robots-Tag": "noindex, nofollow" });

/** Stops nothing, because mail scanners open links. */
export const loader = (args: RouteArgs) =>
  publicLoader(args, ({ app, slug }) => {
    const watch = watchAt(app, slug);
    return json({ watch }, { status: watch ? 200 : 404 });
  });

export const action = (args: RouteArgs) =>
  publicAction(args, {
    async confirm({ app, slug }) {
      chargeVisitor(app, args.request);
      await stopWatch(app, slug);
      return redirectToSelf(`/w/${slug}`);
    },
  });

export const meta: MetaFunction<typeof loader> = ({ data }) => {
  const title = data?.watch ? `Watching ${data.watch.domain} · Deed` : "Unknown link · Deed";
  return [{ title }, { name: "robots", content: "noindex, nofollow" }];
};

export default function StopWatchingPage() {
  const { watch } = useLoaderData<typeof loader>();
  if (watch === null)
    return (
      <Page
        above="Unknown link"
        title="Nothing is watched at this address"
        lead="The link has a typo or no longer works: watching was stopped and started again, or the proof was deleted."
      />
    );
  const { domain, unicodeDomain, domainId, claimId, isWatched, fate } = watch;
  const name = <DomainName ascii={domain} unicode={unicodeDomain} />;
  const claim = claimPath(domainId, claimId);
  if (!isWatched)
    return (
      <Page
        above={name}
        title="Deed does not watch this record"
        lead={`You get no more emails about it. ${fate} The proof keeps its date.`}
      >
        <p>
          <Link to={claim}>Your proof</Link>
        </p>
      </Page>
    );
  return (
    <Confirm
      above={name}
      title="Stop watching this record?"
      consequences={[
        "Deed stops checking it, and you get no more emails about it.",
        "The proof keeps its date and its links. Their pages no longer say when the record was last seen.",
        "You can start watching again on the page of your proof.",
      ]}
      actionLabel="Stop watching"
      back={claim}
    />
  );
}
