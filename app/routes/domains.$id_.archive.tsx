import { accountAction, accountLoader, type RouteArgs } from "#app/api/page.server.ts";
import { domainEndpoints } from "#app/features/domains/api.server.ts";
import { domainDeletionImpact } from "#app/features/domains/domains.server.ts";
import { useLoaderData } from "#app/remix/react.ts";
import { ConfirmDomain, countSentence, countText } from "#app/ui/confirm.tsx";
import { titled } from "#app/ui/page.tsx";

export const loader = (args: RouteArgs) =>
  accountLoader(args, ({ app, id, session }) => domainDeletionImpact(app, session.accountId, id));

export const action = (args: RouteArgs) =>
  accountAction(
    args,
    async ({ call }) => `/domains/${(await call(domainEndpoints.archiveDomain)).body.id}`,
  );

export const meta = titled<typeof loader>((data) => `Archive ${data.domain.name}`);

export default function ArchivePage() {
  const { domain, impact } = useLoaderData<typeof loader>();
  return (
    <ConfirmDomain
      domain={domain}
      title="Archive this domain?"
      consequences={[
        "It is taken off your list. You find it under “Archived” and can take it out at any time.",
        domain.holds && "Deed tells programs that the domain can no longer be relied on.",
        impact.openClaims > 0 && "Its open claim is canceled, and its record no longer counts.",
        countSentence(impact.liveLinks, "proof link", "to its proofs will be revoked for good."),
        impact.claims > 0 &&
          `Its ${countText(impact.claims, "claim")} and the dates of its proofs are kept.`,
      ]}
      actionLabel="Archive it"
    />
  );
}
