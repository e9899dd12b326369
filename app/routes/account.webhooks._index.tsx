import { accountAction, accountLoader, type RouteArgs } from "#app/api/page.server.ts";
import { webhookEndpoints } from "#app/features/webhooks/api.server.ts";
import { shownWebhooks } from "#app/features/webhooks/deliveries.server.ts";
import { DEFAULT_EVENTS } from "#app/features/webhooks/events.ts";
import {
  eventsText,
  NewSecret,
  typedWebhook,
  WebhookForm,
  WebhookLink,
  WebhookState,
} from "#app/features/webhooks/view/webhooks.tsx";
import { Link, useActionData, useLoaderData } from "#app/remix/react.ts";
import { ActionButton, Button } from "#app/ui/button.tsx";
import { Entry, Page, type PageHandle, Problem } from "#app/ui/page.tsx";
import { Table } from "#app/ui/table.tsx";

export const handle: PageHandle = { script: true };

export const loader = (args: RouteArgs) =>
  accountLoader(args, ({ app, session }) => ({
    webhooks: shownWebhooks(app, session.accountId),
  }));

export const action = (args: RouteArgs) =>
  accountAction(
    args,
    async ({ form, call }) => {
      const { body } = await call(webhookEndpoints.createWebhook, { body: typedWebhook(form) });
      return { made: body, typed: null, problem: null };
    },
    ({ problem }, form) => ({ made: null, typed: form && typedWebhook(form), problem }),
  );

export const meta = () => [{ title: "Webhooks · Deed" }];

export default function WebhooksPage() {
  const { webhooks, now } = useLoaderData<typeof loader>();
  const { made = null, typed = null, problem = null } = useActionData<typeof action>() ?? {};
  const isField = problem?.code === "invalid_request";
  return (
    <Page
      above={<Link to="/account">Account</Link>}
      title="Webhooks"
      lead="Deed posts what happens in this account to your own service or chat."
    >
      {made?.kind === "deed" ? (
        <NewSecret secret={made.secret}>
          With this secret, <bdi className="mono">{made.url}</bdi> can check that a post is from
          Deed.
        </NewSecret>
      ) : null}
      {made ? (
        <Entry title="Next">
          <ActionButton action={`/account/webhooks/${made.id}`} intent="test" kind="primary">
            Send a test
          </ActionButton>
        </Entry>
      ) : null}
      <Entry title="In this account">
        <Table
          rows={webhooks}
          none={<p className="soft">No webhooks yet.</p>}
          columns={{
            Address: (webhook) => <WebhookLink {...webhook} />,
            Events: eventsText,
            State: (webhook) => <WebhookState webhook={webhook} now={now} />,
          }}
        />
      </Entry>
      <Entry title="Add a webhook">
        <Problem message={isField ? null : problem?.message} />
        <WebhookForm
          key={made?.id ?? "new"}
          typed={typed ?? { url: "", events: DEFAULT_EVENTS }}
          error={isField ? problem.message : undefined}
        >
          <Button kind={made ? "plain" : "primary"}>Add webhook</Button>
        </WebhookForm>
        <p className="soft">
          Your own service gets signed JSON (
          <a href="https://www.standardwebhooks.com/">Standard Webhooks</a>
          ): <Link to="/docs/integrate/webhooks">how to receive it</Link>. Slack, Discord and ntfy
          get a sentence and a link. A failed delivery is tried nine more times over 75 hours. If
          all fail, or your service answers 410, Deed disables the webhook and emails you.
        </p>
      </Entry>
    </Page>
  );
}
