import { accountAction, accountLoader, type RouteArgs } from "#app/api/page.server.ts";
import {
  deliveryEndpoints,
  readDelivery,
  waitForTry,
} from "#app/features/webhooks/deliveries.server.ts";
import { answerText, DELIVERY_STATES } from "#app/features/webhooks/view/webhooks.tsx";
import { readWebhook } from "#app/features/webhooks/webhooks.server.ts";
import { Link, useActionData, useLoaderData } from "#app/remix/react.ts";
import { ActionButton } from "#app/ui/button.tsx";
import { Entry, Facts, Page, Problem, StateWord, titled } from "#app/ui/page.tsx";
import { Pre } from "#app/ui/pre.tsx";
import { Moment } from "#app/ui/time.tsx";

export const loader = (args: RouteArgs) =>
  accountLoader(args, ({ app, id, session: { accountId } }) => ({
    webhook: readWebhook(app, accountId, id),
    delivery: readDelivery(app, accountId, id, args.params.delivery ?? ""),
  }));

export const action = (args: RouteArgs) =>
  accountAction(args, async ({ app, id, call }) => {
    const since = app.clock();
    const { body } = await call(deliveryEndpoints.resendDelivery);
    await waitForTry(app, id, body.id, since, args.request.signal);
    return `/account/webhooks/${id}/deliveries/${body.id}`;
  });

export const meta = titled<typeof loader>((data) => `${data.delivery.type} · Deliveries`);

export default function DeliveryPage() {
  const { webhook, delivery, now } = useLoaderData<typeof loader>();
  const problem = useActionData<typeof action>()?.problem;
  const { triedAt, nextTryAt, tries, answer, latencyMs } = delivery;
  return (
    <Page
      above={
        <Link to={`/account/webhooks/${webhook.id}`}>
          <bdi>{webhook.url}</bdi>
        </Link>
      }
      title={delivery.type}
    >
      <Problem message={problem?.message} />
      <Entry title="Delivery">
        <Facts
          rows={Object.entries({
            State: <StateWord {...DELIVERY_STATES[delivery.state]} />,
            Answer: answerText(delivery),
            Happened: <Moment at={delivery.createdAt} />,
            "Last try": triedAt && <Moment at={triedAt} />,
            Took: triedAt && `${latencyMs} ms`,
            Tries: tries > 0 && String(tries),
            "Next try": nextTryAt && <Moment at={nextTryAt} now={now} form="ago" />,
            "webhook-id": <code>{delivery.messageId}</code>,
          })}
        />
        {webhook.disabledBecause === null ? (
          <ActionButton intent="again" busy="Sending…" at={now}>
            Send again
          </ActionButton>
        ) : (
          <p className="soft">The webhook is disabled. Enable it to send this again.</p>
        )}
      </Entry>
      <Entry title="What Deed posts">
        <Pre>
          <code>
            {webhook.kind === "ntfy"
              ? delivery.body
              : JSON.stringify(JSON.parse(delivery.body), null, 2)}
          </code>
        </Pre>
      </Entry>
      {answer ? (
        <Entry title="Answered with">
          <pre>
            <code>{answer}</code>
          </pre>
        </Entry>
      ) : null}
    </Page>
  );
}
