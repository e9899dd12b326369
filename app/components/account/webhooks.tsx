import { Form, Link } from "@remix-run/react";
import { EVENT_MEANINGS, EVENTS_SHOWN } from "#app/services/webhooks/events.ts";
import type { Delivery, Webhook } from "#app/services/webhooks/webhook-resources.ts";
import { Button } from "../ui/button.tsx";
import { Value } from "../ui/copy.tsx";
import { Field } from "../ui/field.tsx";
import { Notice } from "../ui/notice.tsx";
import { Entry } from "../ui/page.tsx";
import { type StateLabel, StateWord, type Tone } from "../ui/state.tsx";
import { Table } from "../ui/table.tsx";
import { Moment } from "../ui/time.tsx";

const ENDS: Record<NonNullable<Webhook["disabledBecause"]>, { tone: Tone; why: string }> = {
  holder: { tone: "ended", why: "disabled by hand" },
  gone: { tone: "needs", why: "answered 410, which says that it wants no more events" },
  failing: { tone: "needs", why: "did not accept an event for three days" },
  person_left: {
    tone: "needs",
    why: "was set up by a person who left the account and may know its secret",
  },
};

/** Why a webhook is disabled, as the end of a sentence about it; null if it is not. */
export const endText = ({ disabledBecause }: Webhook): string | null =>
  disabledBecause && ENDS[disabledBecause].why;

export const WebhookState = ({ webhook }: { webhook: Webhook }) => (
  <StateWord
    {...(webhook.disabledBecause
      ? { tone: ENDS[webhook.disabledBecause].tone, word: "disabled" }
      : { tone: "proved", word: "enabled" })}
  />
);

/** The account's webhooks. */
export const WebhookTable = ({ webhooks }: { webhooks: Webhook[] }) => (
  <Table
    head={["Address", "Events", "State"]}
    rows={webhooks.map((webhook) => ({
      key: webhook.id,
      cells: [
        <Link key="url" to={`/account/webhooks/${webhook.id}`}>
          <bdi className="mono">{webhook.url}</bdi>
        </Link>,
        webhook.events.length === EVENTS_SHOWN.length
          ? "all"
          : `${webhook.events.length} of ${EVENTS_SHOWN.length}`,
        <WebhookState key="state" webhook={webhook} />,
      ],
    }))}
  />
);

/** A secret that was just made. It is shown once. */
export const NewSecret = ({ secret, children }: { secret: string; children: React.ReactNode }) => (
  <Entry title="Secret">
    <div role="status">
      <Notice tone="waiting">
        <p>{children} Copy it now: it is not shown again.</p>
        <p>
          <Value text={secret} what="the secret" />
        </p>
      </Notice>
    </div>
  </Entry>
);

/** The address and the events of a webhook. */
export function WebhookForm({
  url,
  events,
  error,
  intent,
  label,
  kind,
}: {
  url: string;
  events: readonly string[];
  /** Why the address was refused, as the API says it. */
  error: string | undefined;
  intent: string;
  label: string;
  kind?: "primary";
}) {
  return (
    <Form method="post" className="stack">
      <Field
        label="Address"
        name="url"
        isMachineText
        defaultValue={url}
        error={error?.replace(/^The field "url"/, "The address")}
        placeholder="https://example.com/webhooks"
        autoComplete="off"
        inputMode="url"
        required
        maxLength={2048}
      />
      <fieldset>
        <legend className="label">Events</legend>
        <ul className="plain">
          {EVENTS_SHOWN.map((type) => (
            <li key={type}>
              <label>
                <input
                  type="checkbox"
                  name="events"
                  value={type}
                  defaultChecked={events.includes(type)}
                />{" "}
                <span>
                  {EVENT_MEANINGS[type]} <code className="soft">{type}</code>
                </span>
              </label>
            </li>
          ))}
        </ul>
      </fieldset>
      <Button intent={intent} kind={kind}>
        {label}
      </Button>
    </Form>
  );
}

/** The webhooks that Deed disabled, for pages where their holder looks. */
export function EndedWebhooks({ webhooks }: { webhooks: Webhook[] }) {
  return webhooks.map((webhook) => (
    <Notice key={webhook.id} tone="needs" title="A webhook is disabled">
      <p>
        <Link to={`/account/webhooks/${webhook.id}`}>
          <bdi className="mono">{webhook.url}</bdi>
        </Link>{" "}
        {endText(webhook)}.
      </p>
    </Notice>
  ));
}

const REASONS: Record<string, string> = {
  bad_url: "its address is not allowed here",
  name_not_found: "its domain has no address",
  forbidden_address: "its address is not public",
  unreachable: "no connection",
  tls: "TLS could not be agreed",
  certificate_expired: "its certificate is not valid at this time",
  certificate_name: "its certificate is for another name",
  certificate_untrusted: "nobody we trust vouches for its certificate",
  not_http: "not an answer of HTTP",
  timeout: "no answer within 5 seconds",
};

/** What the last try was answered with, in a few words. */
export function answerText({ status, reason, state }: Delivery): string {
  if (status !== null) return `answered ${status}`;
  if (reason !== null) return REASONS[reason] ?? reason;
  return state === "failed" ? "given up" : "not sent yet";
}

const STATES: Record<Delivery["state"], StateLabel> = {
  delivered: { tone: "proved", word: "delivered" },
  pending: { tone: "waiting", word: "waiting" },
  failed: { tone: "needs", word: "failed" },
};

export const DeliveryState = ({ state }: { state: Delivery["state"] }) => (
  <StateWord {...STATES[state]} />
);

/** Deliveries of one webhook, newest first. */
export const DeliveryTable = ({
  webhookId,
  deliveries,
  now,
}: {
  webhookId: string;
  deliveries: Delivery[];
  now: string;
}) => (
  <Table
    head={["Event", "When", "State", "Answer"]}
    rows={deliveries.map((delivery) => ({
      key: delivery.id,
      cells: [
        <Link key="type" to={`/account/webhooks/${webhookId}/deliveries/${delivery.id}`}>
          {delivery.type}
        </Link>,
        <Moment key="at" at={delivery.createdAt} now={now} form="ago" />,
        <DeliveryState key="state" state={delivery.state} />,
        answerText(delivery),
      ],
    }))}
  />
);
