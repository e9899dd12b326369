import { accountAction, accountLoader, type RouteArgs } from "#app/api/page.server.ts";
import { domainEndpoints } from "#app/features/domains/api.server.ts";
import { domainDeletionImpact, readDomain } from "#app/features/domains/domains.server.ts";
import { listPath } from "#app/features/domains/view/domain-filters.tsx";
import { lossSentence } from "#app/features/domains/view/selected.tsx";
import { Link, useLoaderData } from "#app/remix/react.ts";
import { ConfirmDomain, countSentence, RECEIPTS_KEPT } from "#app/ui/confirm.tsx";
import { titled } from "#app/ui/page.tsx";

export const loader = (args: RouteArgs) =>
  accountLoader(args, ({ app, id, session }) => domainDeletionImpact(app, session.accountId, id));

export const action = (args: RouteArgs) =>
  accountAction(args, async ({ app, id, call, session }) => {
    const { name: deleted, reference } = readDomain(app, session.accountId, id);
    await call(domainEndpoints.deleteDomain);
    return listPath({ deleted, customer: reference });
  });

export const meta = titled<typeof loader>((data) => `Delete ${data.domain.name}`);

export default function DeletePage() {
  const { domain, impact } = useLoaderData<typeof loader>();
  return (
    <ConfirmDomain
      domain={domain}
      title="Delete this domain?"
      consequences={[
        "It is removed from your account. This cannot be undone.",
        lossSentence([{ domain, impact }]),
        countSentence(
          impact.claims,
          "claim",
          "will be deleted with it, with every proof and check.",
        ),
        countSentence(impact.liveLinks, "proof link", "will stop working."),
        domain.lastProvedAt && RECEIPTS_KEPT,
        countSentence(impact.notices, "notice", "about it will be deleted."),
      ]}
      actionLabel="Delete it for good"
    >
      <p>
        To keep its proofs, <Link to={`/domains/${domain.id}/archive`}>archive it instead</Link>: it
        leaves your list, and its proof links are revoked.
      </p>
    </ConfirmDomain>
  );
}
