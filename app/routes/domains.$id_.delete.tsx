import {
  type ActionFunctionArgs,
  type LoaderFunctionArgs,
  type MetaFunction,
  redirect,
} from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { callEndpoint } from "#app/api/dispatch.server.ts";
import { accountLoader, formAction } from "#app/api/form-action.server.ts";
import { eraseDomain } from "#app/features/domains/api.server.ts";
import { domainDeletionImpact, readDomain } from "#app/features/domains/domains.server.ts";
import { getApp } from "#app/http/app.server.ts";
import { Confirm, countText } from "#app/ui/confirm.tsx";
import { DomainName, Reference } from "#app/ui/name.tsx";

export const loader = (args: LoaderFunctionArgs) =>
  accountLoader(args, (accountId) =>
    domainDeletionImpact(getApp(), accountId, args.params.id ?? ""),
  );

export const action = (args: ActionFunctionArgs) =>
  formAction(args, async (_form, { accountId }) => {
    const { name } = readDomain(getApp(), accountId, args.params.id ?? "");
    await callEndpoint(eraseDomain, args.request, { params: { id: args.params.id } });
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
        impact.claims > 0
          ? `${countText(impact.claims, "claim")} will be deleted with it, with every proof and check.`
          : null,
        impact.liveLinks > 0
          ? `${countText(impact.liveLinks, "public link")} will stop working.`
          : null,
        impact.notices > 0
          ? `${countText(impact.notices, "notice")} about it will be deleted.`
          : null,
        "To keep the proof and only clear your list, archive it instead.",
      ]}
      actionLabel="Delete it for good"
      back={`/domains/${domain.id}`}
      problem={useActionData<typeof action>()?.problem.message}
    />
  );
}
