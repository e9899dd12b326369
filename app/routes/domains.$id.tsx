import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { Link, useActionData, useLoaderData } from "@remix-run/react";
import { accountAction, accountLoader, calling } from "#app/api/page.server.ts";
import { claimHistory } from "#app/features/claims/claims.server.ts";
import { ClaimHistory } from "#app/features/claims/view/claim-history.tsx";
import { stateLabel } from "#app/features/claims/view/state-label.ts";
import { unarchive } from "#app/features/domains/api.server.ts";
import { readListedDomain } from "#app/features/domains/domains.server.ts";
import { openOrFindClaim } from "#app/features/domains/form-actions.server.ts";
import { WWW_REMOVED } from "#app/features/domains/several-lines.ts";
import { openStates, shownDomain } from "#app/features/domains/view/open-states.server.ts";
import { ActionButton } from "#app/ui/button.tsx";
import { DomainName, Reference } from "#app/ui/name.tsx";
import {
  Entry,
  Notice,
  Page,
  type PageHandle,
  type PageHead,
  Problem,
  StateWord,
} from "#app/ui/page.tsx";
import { Moment } from "#app/ui/time.tsx";
import { WwwRemoved } from "#app/ui/www-removed.tsx";

export const handle: PageHandle = { live: true };

export const loader = (args: LoaderFunctionArgs) =>
  accountLoader(args, async ({ app, id, query, session: { accountId } }) => {
    const listed = await readListedDomain(app, accountId, id);
    const domain = shownDomain(listed);
    const claims = await claimHistory(app, accountId, domain.id);
    const open = openStates(app, [listed])[domain.verificationId ?? ""]?.state ?? null;
    const label = stateLabel(domain.status, open);
    const head: PageHead = { icon: label.tone };
    const found = { isExisting: query.has("known"), isWwwRemoved: query.has(WWW_REMOVED) };
    return { domain, claims, open, label, ...found, head };
  });

export const action = (args: ActionFunctionArgs) =>
  accountAction(args, {
    claim: async ({ id }) => `/claims/${await openOrFindClaim(args.request, id)}`,
    unarchive: calling(unarchive, `/domains/${args.params.id}`),
  });

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: data ? `${data.label.word} · ${data.domain.name} · Deed` : "Deed" },
];

export default function DomainPage() {
  const { domain, claims, open, label, isExisting, isWwwRemoved } = useLoaderData<typeof loader>();
  const problem = useActionData<typeof action>()?.problem;
  return (
    <Page
      above={
        <>
          <span>
            <StateWord {...label} />
            {domain.archived ? " · archived" : null}
          </span>
          <Reference reference={domain.reference} />
          <span>
            on your list since <Moment at={domain.createdAt} form="day" />
          </span>
        </>
      }
      title={<DomainName ascii={domain.name} unicode={domain.unicodeName} />}
    >
      {isExisting ? (
        <Notice title="You had this domain already">
          <p>{domain.archived ? "It is in your archive." : "Here it is, with its history."}</p>
        </Notice>
      ) : null}
      {isWwwRemoved ? <WwwRemoved domain={domain} intent="add" /> : null}
      <Entry title="Next">
        <NextStep domain={domain} />
        <Problem message={problem?.message} />
      </Entry>
      <Entry title="Claims">
        {claims.length > 0 ? (
          <ClaimHistory claims={claims} open={open} />
        ) : (
          <p className="soft">Not proved yet on this account.</p>
        )}
      </Entry>
      <Entry title="Archive or delete">
        <p className="row">
          {domain.archived ? null : (
            <Link to={`/domains/${domain.id}/archive`}>Archive this domain</Link>
          )}
          <Link to={`/domains/${domain.id}/delete`}>Delete this domain</Link>
        </p>
      </Entry>
    </Page>
  );
}

type Listed = ReturnType<typeof useLoaderData<typeof loader>>["domain"];

/** The next step that makes sense for the domain. */
function NextStep({ domain }: { domain: Listed }) {
  if (domain.archived) {
    return (
      <div className="stack">
        <p>An archived domain cannot be proved or shared. Its proofs keep their dates.</p>
        <ActionButton intent="unarchive" kind="primary" busy="Putting it back…">
          Put it back on the list
        </ActionButton>
      </div>
    );
  }
  switch (domain.status) {
    case "pending":
      return (
        <p>
          <Link to={`/claims/${domain.claimId}`} className="button primary">
            See the record to add
          </Link>
        </p>
      );
    case "proved":
      return (
        <div className="row">
          <Link to={`/claims/${domain.claimId}#share`} className="button primary">
            Share the proof
          </Link>
          <ActionButton intent="claim" busy="Opening…">
            Prove it again
          </ActionButton>
        </div>
      );
    default:
      return (
        <div className="stack">
          <p>You get one TXT record to add. Deed then checks automatically for seven days.</p>
          <ActionButton intent="claim" kind="primary" busy="Opening…">
            {domain.status === "unclaimed" ? "Prove it" : "Start again"}
          </ActionButton>
        </div>
      );
  }
}
