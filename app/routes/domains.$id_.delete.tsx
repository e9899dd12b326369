import {
  type ActionFunctionArgs,
  type LoaderFunctionArgs,
  type MetaFunction,
  redirect,
} from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { accountLoader, formAction } from "#app/api/form-action.server.ts";
import { eraseDomain } from "#app/features/domains/api.server.ts";
import { domainDeletionImpact, readDomain } from "#app/features/domains/domains.server.ts";
import { Confirm, countSentence } from "#app/ui/confirm.tsx";
import { DomainName, Reference } from "#app/ui/name.tsx";

export const loader = (args: LoaderFunctionArgs) =>
  accountLoader(args, (app, { accountId }) =>
    domainDeletionImpact(app, accountId, args.params.id ?? ""),
  );

export const action = (args: ActionFunctionArgs) =>
  formAction(args, async ({ app, call, session }) => {
    const { name } = readDomain(app, session.accountId, args.params.id ?? "");
    await call(eraseDomain);
    return redirect(`/domains?deleted=${name}`, 303);
  });

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: `Delete ${data?.domain.name ?? ""} · Deed` },
];

export default function DeletePage() {
  const { domain, impact } = useLoaderData<typeof loader>();
  return (
    <Confirm
      above={
        <>
          <DomainName ascii={domain.name} unicode={domain.unicodeName} />
          <Reference reference={domain.reference} />
        </>
      }
      title="Delete this domain?"
      consequences={[
        "It is removed from your account. This cannot be undone.",
        countSentence(
          impact.claims,
          "claim",
          "will be deleted with it, with every proof and check.",
        ),
        countSentence(impact.liveLinks, "public link", "will stop working."),
        countSentence(impact.notices, "notice", "about it will be deleted."),
        "To keep the proof and only clear your list, archive it instead.",
      ]}
      actionLabel="Delete it for good"
      back={`/domains/${domain.id}`}
    />
  );
}
