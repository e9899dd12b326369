import { accountAction, accountLoader, calling, type RouteArgs } from "#app/api/page.server.ts";
import { webhookEndpoints } from "#app/features/webhooks/api.server.ts";
import { readWebhook } from "#app/features/webhooks/webhooks.server.ts";
import { useLoaderData } from "#app/remix/react.ts";
import { Confirm } from "#app/ui/confirm.tsx";

export const loader = (args: RouteArgs) =>
  accountLoader(args, ({ app, id, session }) => readWebhook(app, session.accountId, id));

export const action = (args: RouteArgs) =>
  accountAction(args, calling(webhookEndpoints.deleteWebhook, "/account/webhooks"));

export const meta = () => [{ title: "Delete a webhook · Deed" }];

export default function DeleteWebhookPage() {
  const { id, url } = useLoaderData<typeof loader>();
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
    />
  );
}
