import {
  type ActionFunctionArgs,
  type LoaderFunctionArgs,
  type MetaFunction,
  redirect,
} from "@remix-run/node";
import { Link, useLoaderData } from "@remix-run/react";
import { accountLoader, formAction } from "#app/api/form-action.server.ts";
import { DeedError } from "#app/core/errors.server.ts";
import { readClaim } from "#app/features/claims/claims.server.ts";
import { revokeLink } from "#app/features/proofs/api.server.ts";
import { listProofLinks } from "#app/features/proofs/proofs.server.ts";
import type { App } from "#app/http/app.server.ts";
import { Confirm } from "#app/ui/confirm.tsx";
import { DomainName } from "#app/ui/name.tsx";
import { Page } from "#app/ui/page.tsx";
import { Moment } from "#app/ui/time.tsx";

/** The live link to revoke, or the one revoked last. Throws claim_not_found, proof_link_not_found. */
async function linkOf(app: App, accountId: string, claimId: string) {
  const { domain, unicodeDomain } = await readClaim(app, accountId, claimId);
  const links = listProofLinks(app, accountId, claimId);
  const link = links.find(({ standing }) => standing === "live") ?? links[0];
  if (!link) throw new DeedError("proof_link_not_found");
  return { claimId, domain, unicodeDomain, slug: link.slug, revokedAt: link.revokedAt };
}

export const loader = (args: LoaderFunctionArgs) =>
  accountLoader(args, (app, { accountId }) => linkOf(app, accountId, args.params.id ?? ""));

export const action = (args: ActionFunctionArgs) =>
  formAction(args, async ({ form, call }) => {
    const { id } = args.params;
    await call(revokeLink, { params: { id, slug: form.get("slug") ?? "" } });
    return redirect(`/claims/${id}/revoke?revoked`, 303);
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
