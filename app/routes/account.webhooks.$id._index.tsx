import { accountAction, accountLoader, oneCall, type RouteArgs } from "#app/api/page.server.ts";
import { DeedError } from "#app/core/errors.server.ts";
import { DAY, iso } from "#app/core/time.ts";
import { webhookEndpoints } from "#app/features/webhooks/api.server.ts";
import {
  deliveryEndpoints,
  listDeliveries,
  shownWebhook,
  waitForTry,
} from "#app/features/webhooks/deliveries.server.ts";
import { keptEventsText } from "#app/features/webhooks/end-texts.ts";
import { KIND_NAMES } from "#app/features/webhooks/kinds.ts";
import {
  answerText,
  DELIVERY_STATES,
  eventsText,
  NewSecret,
  typedWebhook,
  WebhookForm,
  WebhookState,
} from "#app/features/webhooks/view/webhooks.tsx";
import { readWebhook } from "#app/features/webhooks/webhooks.server.ts";
import { Link, useActionData, useLoaderData } from "#app/remix/react.ts";
import { ActionButton, Button } from "#app/ui/button.tsx";
import { Confirm, countText } from "#app/ui/confirm.tsx";
import { Dotted } from "#app/ui/name.tsx";
import { Entry, Facts, Page, type PageHandle, Problem, StateWord, titled } from "#app/ui/page.tsx";
import { olderFrom, Pager, Table } from "#app/ui/table.tsx";
import { Moment, relativeText } from "#app/ui/time.tsx";

export const handle: PageHandle = { script: true };

export const loader = (args: RouteArgs) =>
  accountLoader(args, ({ app, id, query, session: { accountId } }) => {
    const cursor = query.get("cursor") || undefined;
    return {
      webhook: shownWebhook(app, readWebhook(app, accountId, id)),
      ...listDeliveries(app, accountId, id, { cursor }),
      paged: cursor !== undefined,
      isAsked: query.has("delete"),
      resent: /^\d{1,6}$/.exec(query.get("resent") ?? "")?.[0],
    };
  });

/** For a second click, or a reload, which would end the secret that receivers still use. */
const ROTATED_MEANWHILE =
  "The secret was rotated after this page was opened, so nothing was changed. If the new secret is lost, rotate it again.";

export const action = (args: RouteArgs) => {
  const here = `/account/webhooks/${args.params.id}`;
  return accountAction(
    args,
    {
      save: oneCall(webhookEndpoints.updateWebhook, here, ({ form }) => ({
        body: typedWebhook(form),
      })),
      enable: oneCall(webhookEndpoints.updateWebhook, here, () => ({ body: { enabled: true } })),
      async again({ app, call }) {
        const since = iso(app.clock() - 7 * DAY);
        const { body } = await call(deliveryEndpoints.resendFailed, { body: { since } });
        return `${here}?resent=${body.count}`;
      },
      disable: oneCall(webhookEndpoints.updateWebhook, here, () => ({ body: { enabled: false } })),
      confirm: oneCall(webhookEndpoints.deleteWebhook, "/account/webhooks"),
      async rotate({ app, id, field, call, session }) {
        const { previousSecretUntil: until } = readWebhook(app, session.accountId, id);
        if (until && until !== field("until"))
          throw new DeedError("invalid_request", { message: ROTATED_MEANWHILE });
        const { body } = await call(webhookEndpoints.rotateWebhookSecret);
        return { secret: body.secret, typed: null, problem: null };
      },
      async test({ app, id, call }) {
        const { body } = await call(deliveryEndpoints.tryWebhook);
        await waitForTry(app, id, body.id, Date.parse(body.createdAt), args.request.signal);
        return `${here}/deliveries/${body.id}`;
      },
    },
    ({ problem }, form) => {
      const typed = form?.get("intent") === "save" ? typedWebhook(form) : null;
      return { secret: null, typed, problem };
    },
  );
};

export const meta = titled<typeof loader>((data) =>
  data.isAsked ? "Delete a webhook" : `${data.webhook.url} · Webhooks`,
);

export default function WebhookPage() {
  const { webhook, deliveries, nextCursor, paged, ...page } = useLoaderData<typeof loader>();
  const { isAsked, resent, now } = page;
  const { secret = null, typed = null, problem = null } = useActionData<typeof action>() ?? {};
  const isField = typed !== null && problem?.code === "invalid_request";
  const here = `/account/webhooks/${webhook.id}`;
  const address = (
    <bdi>
      <Dotted name={webhook.url} />
    </bdi>
  );
  const { disabledBecause: end, previousSecretUntil } = webhook;
  const isSigned = webhook.kind === "deed";
  const oldUntil = isSigned && previousSecretUntil;
  const isEnabled = end === null;
  const hasFailed = deliveries.some(({ state }) => state === "failed");
  const mustRotate = isSigned && (end === "key_revoked" || end === "person_left");
  if (isAsked)
    return (
      <Confirm
        above={address}
        title="Delete this webhook?"
        consequences={[
          "It gets no more events, not even those that are waiting for it.",
          "Its deliveries and its secret are erased. This cannot be undone.",
        ]}
        actionLabel="Delete the webhook"
        back={here}
      />
    );
  return (
    <Page above={<Link to="/account/webhooks">Webhooks</Link>} title={address}>
      {secret ? (
        <NewSecret secret={secret}>
          This is the new secret. For a day, posts are signed with the previous secret too.
        </NewSecret>
      ) : null}
      {resent ? <p role="status">{countText(+resent, "event")} will be sent again.</p> : null}
      <Problem message={isField ? null : problem?.message} />
      <Entry title="Webhook">
        <Facts
          rows={Object.entries({
            State: <WebhookState webhook={webhook} now={now} />,
            Format: KIND_NAMES[webhook.kind],
            Events: eventsText(webhook),
            Added: <Moment at={webhook.createdAt} form="day" />,
            "Old secret until": oldUntil && <Moment at={oldUntil} />,
          })}
        />
        {oldUntil ? <p>If you rotate again, the old secret stops signing at once.</p> : null}
        {end ? <p>{keptEventsText(end, webhook.kind)}</p> : null}
        <div className="row">
          {isEnabled ? (
            <>
              <ActionButton intent="test" busy="Sending…" kind={hasFailed ? "plain" : "primary"}>
                Send a test
              </ActionButton>{" "}
              <ActionButton intent="again" kind={hasFailed ? "primary" : "plain"}>
                Resend all that failed
              </ActionButton>{" "}
              <ActionButton intent="disable">Disable</ActionButton>
            </>
          ) : mustRotate ? null : (
            <ActionButton intent="enable" kind="primary">
              Enable
            </ActionButton>
          )}{" "}
          {isSigned ? (
            <ActionButton
              intent="rotate"
              fields={{ until: oldUntil || "" }}
              kind={mustRotate ? "primary" : "plain"}
            >
              Rotate the secret
            </ActionButton>
          ) : null}{" "}
          {mustRotate ? <ActionButton intent="enable">Enable</ActionButton> : null}
        </div>
      </Entry>
      <Entry title={paged ? "Older deliveries" : "Deliveries"}>
        <Table
          rows={deliveries}
          none={<p className="soft">Nothing in the last week.</p>}
          columns={{
            Event: ({ id, type }) => <Link to={`${here}/deliveries/${id}`}>{type}</Link>,
            When: ({ createdAt }) => <Moment at={createdAt} now={now} form="ago" />,
            State: ({ state }) => <StateWord {...DELIVERY_STATES[state]} />,
            Answer: ({ nextTryAt: at, ...row }) =>
              `${answerText(row)}${isEnabled && at ? `, next try ${relativeText(at, now)}` : ""}`,
          }}
        />
        <Pager newest={paged ? here : null} older={olderFrom(nextCursor)} />
      </Entry>
      <Entry title="Change">
        <WebhookForm typed={typed ?? webhook} error={isField ? problem.message : undefined}>
          <Button intent="save">Save</Button>
        </WebhookForm>
      </Entry>
      <Entry title="Delete">
        <p>
          <Link to="?delete">Delete this webhook…</Link>
        </p>
      </Entry>
    </Page>
  );
}
