import { type ActionFunctionArgs, type LoaderFunctionArgs, redirect } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { callEndpoint } from "#app/api/dispatch.server.ts";
import { accountLoader, formAction } from "#app/api/form-action.server.ts";
import { deleteWebhook } from "#app/features/webhooks/api.server.ts";
import { readWebhook } from "#app/features/webhooks/webhooks.server.ts";
import { getApp } from "#app/http/app.server.ts";
import { Confirm } from "#app/ui/confirm.tsx";

export const loader = (args: LoaderFunctionArgs) =>
  accountLoader(args, (accountId) => readWebhook(getApp(), accountId, args.params.id ?? ""));

export const action = (args: ActionFunctionArgs) =>
  formAction(args, async () => {
    await callEndpoint(deleteWebhook, args.request, { params: args.params });
    return redirect("/account/webhooks", 303);
  });

export const meta = () => [{ title: "Delete a webhook · Deed" }];

export default function DeleteWebhookPage() {
  const { id, url } = useLoaderData<typeof loader>();
  const problem = useActionData<typeof action>()?.problem.message;
  return (
    <Confirm
      above={<bdi>{url}</bdi>}
      title="Delete this webhook?"
      consequences={[
        "It gets no more events, and what is waiting for it is not sent.",
        "Its deliveries and its secret are erased. This cannot be undone.",
      ]}
      actionLabel="Delete the webhook"
      back={`/account/webhooks/${id}`}
      problem={problem}
    />
  );
}
