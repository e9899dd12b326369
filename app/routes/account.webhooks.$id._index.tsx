import { type ActionFunctionArgs, json, type LoaderFunctionArgs, redirect } from "@remix-run/node";
import { Link, useActionData, useLoaderData } from "@remix-run/react";
import { callEndpoint } from "#app/api/dispatch.server.ts";
import { accountLoader } from "#app/api/form-action.server.ts";
import { DeedError } from "#app/core/errors.server.ts";
import { iso } from "#app/core/time.ts";
import { changeWebhook, rotateWebhook, tryWebhook } from "#app/features/webhooks/api.server.ts";
import { listDeliveries, waitForTry } from "#app/features/webhooks/messages.server.ts";
import {
  answerText,
  DeliveryState,
  endText,
  NewSecret,
  WebhookForm,
  WebhookState,
} from "#app/features/webhooks/view/webhooks.tsx";
import { readWebhook } from "#app/features/webhooks/webhooks.server.ts";
import { getApp } from "#app/http/app.server.ts";
import { formOf } from "#app/http/body.server.ts";
import { requireSession } from "#app/http/caller/session.server.ts";
import { problemOf } from "#app/http/page-errors.server.ts";
import { ActionButton, Button } from "#app/ui/button.tsx";
import { Entry, Facts, Page, Problem } from "#app/ui/page.tsx";
import { Pager, Table } from "#app/ui/table.tsx";
import { Moment } from "#app/ui/time.tsx";

export const loader = (args: LoaderFunctionArgs) =>
  accountLoader(args, (accountId) => {
    const app = getApp();
    const { id = "" } = args.params;
    const cursor = new URL(args.request.url).searchParams.get("cursor") || undefined;
    return {
      webhook: readWebhook(app, accountId, id),
      ...listDeliveries(app, accountId, id, { cursor }),
      paged: cursor !== undefined,
      now: iso(app.clock()),
    };
  });

export async function action({ request, params }: ActionFunctionArgs) {
  await requireSession(request);
  const { id = "" } = params;
  const here = () => redirect(`/account/webhooks/${id}`, 303);
  const change = (body: object) =>
    callEndpoint(changeWebhook, request, { params, body }).then(here);
  let typed: { url: string; events: string[] } | null = null;
  try {
    const form = await formOf(request);
    switch (form.get("intent")) {
      case "save":
        typed = { url: form.get("url") ?? "", events: form.getAll("events") };
        return await change(typed);
      case "enable":
        return await change({ enabled: true });
      case "disable":
        return await change({ enabled: false });
      case "rotate": {
        const { body } = await callEndpoint(rotateWebhook, request, { params });
        return json({ secret: body.secret, typed, problem: null });
      }
      case "test": {
        const app = getApp();
        const { body } = await callEndpoint(tryWebhook, request, { params });
        await waitForTry(app, id, body.id, Date.parse(body.createdAt), request.signal);
        return redirect(`/account/webhooks/${id}/deliveries/${body.id}`, 303);
      }
      default:
        throw new DeedError("invalid_request");
    }
  } catch (thrown) {
    const { problem, status } = problemOf(thrown);
    return json({ secret: null, typed, problem }, { status });
  }
}

export const meta = () => [{ title: "Webhook · Deed" }];

export default function WebhookPage() {
  const { webhook, deliveries, nextCursor, paged, now } = useLoaderData<typeof loader>();
  const { secret = null, typed = null, problem = null } = useActionData<typeof action>() ?? {};
  const isField = typed !== null && problem?.code === "invalid_request";
  const here = `/account/webhooks/${webhook.id}`;
  const isEnabled = webhook.disabledBecause === null;
  return (
    <Page above={<Link to="/account/webhooks">Webhooks</Link>} title={<bdi>{webhook.url}</bdi>}>
      {secret ? (
        <NewSecret secret={secret}>
          This is the new secret. For a day, posts are signed with the one before too.
        </NewSecret>
      ) : null}
      <Problem message={isField ? null : problem?.message} />
      <Entry title="State">
        <Facts
          rows={[
            ["State", <WebhookState key="state" webhook={webhook} />],
            endText(webhook) ? ["Because", endText(webhook)] : null,
            webhook.disabledAt ? ["Disabled", <Moment key="end" at={webhook.disabledAt} />] : null,
            ["Since", <Moment key="since" at={webhook.createdAt} form="day" />],
            webhook.previousSecretUntil
              ? ["Old secret until", <Moment key="old" at={webhook.previousSecretUntil} />]
              : null,
          ]}
        />
        {isEnabled ? null : <p>Events are not kept while a webhook is disabled.</p>}
        <div className="row">
          {isEnabled ? (
            <>
              <ActionButton intent="test" busy="Sending…" kind="primary">
                Send a test
              </ActionButton>{" "}
              <ActionButton intent="disable">Disable</ActionButton>
            </>
          ) : (
            <ActionButton intent="enable" kind="primary">
              Enable
            </ActionButton>
          )}{" "}
          <ActionButton intent="rotate">Rotate the secret</ActionButton>
        </div>
      </Entry>
      <Entry title={paged ? "Older deliveries" : "Deliveries"}>
        {deliveries.length > 0 ? (
          <Table
            head={["Event", "When", "State", "Answer"]}
            rows={deliveries.map((delivery) => ({
              key: delivery.id,
              cells: [
                <Link key="type" to={`${here}/deliveries/${delivery.id}`}>
                  {delivery.type}
                </Link>,
                <Moment key="at" at={delivery.createdAt} now={now} form="ago" />,
                <DeliveryState key="state" state={delivery.state} />,
                answerText(delivery),
              ],
            }))}
          />
        ) : (
          <p className="soft">Nothing in the last week.</p>
        )}
        <Pager
          newest={paged ? here : null}
          older={nextCursor && `${here}?cursor=${encodeURIComponent(nextCursor)}`}
        />
      </Entry>
      <Entry title="Change">
        <WebhookForm
          url={typed?.url ?? webhook.url}
          events={typed?.events ?? webhook.events}
          error={isField ? problem.message : undefined}
        >
          <Button intent="save">Save</Button>
        </WebhookForm>
      </Entry>
      <Entry title="Delete">
        <p>
          <Link to={`${here}/delete`}>Delete this webhook…</Link>
        </p>
      </Entry>
    </Page>
  );
}
