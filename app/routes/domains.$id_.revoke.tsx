import { accountAction, accountLoader, type RouteArgs } from "#app/api/page.server.ts";
import { orThrow } from "#app/core/errors.server.ts";
import { claimPath } from "#app/core/names/prove-path.ts";
import { claimOnPage } from "#app/features/domains/view/domain-screen.server.ts";
import { proofEndpoints } from "#app/features/proofs/api.server.ts";
import { listProofLinks } from "#app/features/proofs/proofs.server.ts";
import { Link, useLoaderData } from "#app/remix/react.ts";
import { Confirm, RECEIPTS_KEPT } from "#app/ui/confirm.tsx";
import { DomainName } from "#app/ui/name.tsx";
import { Page, titled } from "#app/ui/page.tsx";
import { Moment } from "#app/ui/time.tsx";

export const loader = (args: RouteArgs) =>
  accountLoader(args, async ({ app, id, query, session: { accountId } }) => {
    const { listed, claimId } = await claimOnPage(app, accountId, id, query.get("claim"));
    const links = claimId === null ? [] : listProofLinks(app, accountId, claimId);
    // The live link, or the last revoked one.
    const live = links.find(({ standing }) => standing === "live");
    const link = orThrow(live ?? links[0], "proof_link_not_found");
    const { name: domain, unicodeName: unicodeDomain } = listed;
    const back = claimPath(id, link.claimId);
    return { back, domain, unicodeDomain, slug: link.slug, revokedAt: link.revokedAt };
  });

export const action = (args: RouteArgs) =>
  accountAction(args, async ({ app, id, query, field, call, session }) => {
    const { claimId } = await claimOnPage(app, session.accountId, id, query.get("claim"));
    await call(proofEndpoints.revokeProofLink, {
      params: { id: claimId ?? "", slug: field("slug") },
    });
    return `/domains/${id}/revoke?claim=${claimId}&revoked`;
  });

export const meta = titled<typeof loader>(
  (data) => `${data.revokedAt ? "Link revoked" : "Revoke the link"} · ${data.domain}`,
);

export default function RevokePage() {
  const { back, domain, unicodeDomain, slug, revokedAt } = useLoaderData<typeof loader>();
  const name = <DomainName ascii={domain} unicode={unicodeDomain} />;
  if (revokedAt)
    return (
      <Page
        above={name}
        title="The link is revoked"
        lead={
          <>
            Since <Moment at={revokedAt} />, anyone who opens it sees that it was revoked.
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
        "Anyone who opens it will see that it was revoked. This cannot be undone.",
        `The receipt can no longer be downloaded there. ${RECEIPTS_KEPT}`,
        "The proof keeps its date. You can publish a new link at any time.",
      ]}
      actionLabel="Revoke the link"
      back={back}
    >
      <input type="hidden" name="slug" value={slug} />
    </Confirm>
  );
}
