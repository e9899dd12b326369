import { accountAction, accountLoader, oneCall, type RouteArgs } from "#app/api/page.server.ts";
import { domainEndpoints } from "#app/features/domains/api.server.ts";
import { domainDeletionImpact } from "#app/features/domains/domains.server.ts";
import { archiving } from "#app/features/domains/view/selected.tsx";
import { redirect } from "#app/remix/node.server.ts";
import { useLoaderData } from "#app/remix/react.ts";
import { ConfirmDomain } from "#app/ui/confirm.tsx";
import { titled } from "#app/ui/page.tsx";

export const loader = (args: RouteArgs) =>
  accountLoader(args, ({ app, id, session }) => {
    const page = domainDeletionImpact(app, session.accountId, id);
    if (page.domain.archived) throw redirect(`/domains/${id}`, 303);
    return page;
  });

export const action = (args: RouteArgs) =>
  accountAction(args, oneCall(domainEndpoints.archiveDomain, `/domains/${args.params.id}`));

export const meta = titled<typeof loader>((data) => `Archive ${data.domain.name}`);

export default function ArchivePage() {
  const { domain, impact } = useLoaderData<typeof loader>();
  return (
    <ConfirmDomain
      domain={domain}
      title="Archive this domain?"
      {...archiving([{ domain, impact }])}
      actionLabel="Archive it"
    />
  );
}
