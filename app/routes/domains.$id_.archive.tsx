import { accountAction, accountLoader, type RouteArgs } from "#app/api/page.server.ts";
import { domainEndpoints } from "#app/features/domains/api.server.ts";
import { domainDeletionImpact } from "#app/features/domains/domains.server.ts";
import { archiveConsequences } from "#app/features/domains/view/selected.tsx";
import { useLoaderData } from "#app/remix/react.ts";
import { ConfirmDomain } from "#app/ui/confirm.tsx";
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
      consequences={archiveConsequences([{ domain, impact }])}
      actionLabel="Archive it"
    />
  );
}
