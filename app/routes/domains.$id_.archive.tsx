import {
  type ActionFunctionArgs,
  type LoaderFunctionArgs,
  type MetaFunction,
  redirect,
} from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { accountLoader, formAction } from "#app/api/form-action.server.ts";
import { archive } from "#app/features/domains/api.server.ts";
import { domainDeletionImpact } from "#app/features/domains/domains.server.ts";
import { Confirm, countSentence, countText } from "#app/ui/confirm.tsx";
import { DomainName, Reference } from "#app/ui/name.tsx";

export const loader = (args: LoaderFunctionArgs) =>
  accountLoader(args, (app, { accountId }) =>
    domainDeletionImpact(app, accountId, args.params.id ?? ""),
  );

export const action = (args: ActionFunctionArgs) =>
  formAction(args, async ({ call }) => {
    const { body } = await call(archive);
    return redirect(`/domains/${body.id}`, 303);
  });

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: `Archive ${data?.domain.name ?? ""} · Deed` },
];

export default function ArchivePage() {
  const { domain, impact } = useLoaderData<typeof loader>();
  return (
    <Confirm
      above={
        <>
          <DomainName ascii={domain.name} unicode={domain.unicodeName} />
          <Reference reference={domain.reference} />
        </>
      }
      title="Archive this domain?"
      consequences={[
        "It leaves your list. You find it under “archived” and can put it back at any time.",
        impact.openClaims > 0 && "Its open claim is canceled, and its record no longer counts.",
        countSentence(impact.liveLinks, "public link", "to its proofs will be revoked, for good."),
        impact.claims > 0 &&
          `Its ${countText(impact.claims, "claim")} and the dates of its proofs are kept.`,
      ]}
      actionLabel="Archive it"
      back={`/domains/${domain.id}`}
    />
  );
}
