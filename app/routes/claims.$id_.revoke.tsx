import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { Link, useLoaderData } from "@remix-run/react";
import { accountAction, accountLoader } from "#app/api/page.server.ts";
import { DeedError } from "#app/core/errors.server.ts";
import { readClaim } from "#app/features/claims/claims.server.ts";
import { revokeLink } from "#app/features/proofs/api.server.ts";
import { listProofLinks } from "#app/features/proofs/proofs.server.ts";
import { Confirm } from "#app/ui/confirm.tsx";
import { DomainName } from "#app/ui/name.tsx";
import { Page } from "#app/ui/page.tsx";
import { Moment } from "#app/ui/time.tsx";

export const loader = (args: LoaderFunctionArgs) =>
  accountLoader(args, async ({ app, id, session: { accountId } }) => {
    const { domain, unicodeDomain } = await readClaim(app, accountId, id);
    const links = listProofLinks(app, accountId, id);
    // The live link, or the one revoked last.
    const link = links.find(({ standing }) => standing === "live") ?? links[0];
    if (!link) throw new DeedError("proof_link_not_found");
    return { claimId: id, domain, unicodeDomain, slug: link.slug, revokedAt: link.revokedAt };
  });

export const action = (args: ActionFunctionArgs) =>
  accountAction(args, async ({ id, form, call }) => {
    await call(revokeLink, { params: { id, slug: form.get("slug") ?? "" } });
    return `/claims/${id}/revoke?revoked`;
  });

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  {
    title: `${data?.revokedAt ? "Link revoked" : "Revoke the link"} · ${data?.domain ?? ""} · Deed`,
  },
];

export default function RevokePage() {
  const { claimId, domain, unicodeDomain, slug, revokedAt } = useLoaderData<typeof loader>();
  const name = <DomainName ascii={domain} unicode={unicodeDomain} />;
  const back = `/claims/${claimId}`;
  if (revokedAt)
    return (
      <Page
        above={name}
        title="The link is revoked"
        lead={
          <>
            Since <Moment at={revokedAt} />, anyone who opens it reads that it was revoked.
          </>
        }
      >
        <p>
          The proof keeps its date. <Link to={back}>Back to the proof</Link>
        </p>
      </Page>
    );
  return (
    <Confirm
      above={name}
      title="Revoke this link?"
      consequences={[
        "Anyone who opens it will read that it was revoked. This cannot be undone.",
        "The receipt can no longer be downloaded there. Receipts already downloaded stay true about their moment.",
        "The proof keeps its date. You can publish a new link at any time.",
      ]}
      actionLabel="Revoke the link"
      back={back}
    >
      <input type="hidden" name="slug" value={slug} />
    </Confirm>
  );
}
