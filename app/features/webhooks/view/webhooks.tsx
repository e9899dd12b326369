import { OUTBOUND_FAILURES } from "#app/core/outbound/failures.ts";
import type { Delivery } from "#app/features/webhooks/deliveries.server.ts";
import { END_REASON_TEXTS } from "#app/features/webhooks/end-texts.ts";
import { EVENT_MEANINGS, EVENTS_SHOWN } from "#app/features/webhooks/events.ts";
import { defaultEvents, KIND_NAMES, kindOfUrl } from "#app/features/webhooks/kinds.ts";
import type { Webhook } from "#app/features/webhooks/webhooks.server.ts";
import { Form, Link } from "#app/remix/react.ts";
import { Value } from "#app/ui/copy.tsx";
import { Choice, Field } from "#app/ui/field.tsx";
import { Dotted } from "#app/ui/name.tsx";
import { Entry, Notice, type StateLabel, StateWord } from "#app/ui/page.tsx";

/** Why a webhook is disabled, as the end of a sentence about it; null if it is not. */
export const endText = ({ disabledBecause }: Webhook): string | null =>
  disabledBecause && END_REASON_TEXTS[disabledBecause];

export function WebhookState({ webhook: { disabledBecause } }: { webhook: Webhook }) {
  if (!disabledBecause) return <StateWord tone="proved" word="enabled" />;
  const isByHand = disabledBecause === "holder";
  const word = `disabled by ${isByHand ? "hand" : "Deed"}`;
  return <StateWord tone={isByHand ? "ended" : "needs"} word={word} />;
}

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

/** `kind` is undefined if the address shows it. */
type Typed = { url: string; kind?: Webhook["kind"] | undefined; events: readonly string[] };
type WebhookFormProps = { typed: Typed; error: string | undefined; children: React.ReactNode };

export function typedWebhook(form: URLSearchParams): Typed {
  const url = form.get("url") ?? "";
  const kind = (form.get("kind") || undefined) as Typed["kind"];
  const usual = defaultEvents(kind ?? kindOfUrl(url));
  return { url, kind, events: form.get("which") === "all" ? usual : form.getAll("events") };
}

const isDefault = ({ url, kind = kindOfUrl(url), events }: Typed) =>
  String(events) === String(defaultEvents(kind));

export function eventsText(webhook: Webhook): string {
  const { kind, events } = webhook;
  if (isDefault(webhook))
    return kind === "deed" ? "all except single checks" : "only proofs and problems";
  return events.length === EVENTS_SHOWN.length
    ? "all"
    : `${events.length}\u00a0of\u00a0${EVENTS_SHOWN.length}`;
}

/** A webhook's address and events; `children` is the button. `error`: about the address, from the API. */
export const WebhookForm = ({ typed, error, children }: WebhookFormProps) => (
  <Form method="post" className="stack">
    <Field
      label="Address"
      name="url"
      isMachineText
      defaultValue={typed.url}
      error={error?.replace(/^The field "url"/, "The address")}
      placeholder="https://example.com/webhooks"
      autoComplete="off"
      inputMode="url"
      required
      maxLength={2048}
    />
    <Field
      label="Format"
      name="kind"
      options={{ ...(!typed.kind && { "": "Detect from the address" }), ...KIND_NAMES }}
      defaultValue={typed.kind ?? ""}
    />
    <fieldset>
      <legend className="label">Events</legend>
      {["all", "some"].map((which) => (
        <Choice
          key={which}
          type="radio"
          name="which"
          value={which}
          defaultChecked={(which === "all") === isDefault(typed)}
        >
          {which === "all"
            ? "The usual: all except single checks, or in a chat only proofs and problems"
            : "Choose"}
        </Choice>
      ))}
      <ul className="plain chosen">
        {EVENTS_SHOWN.map((type) => (
          <li key={type}>
            <Choice name="events" value={type} defaultChecked={typed.events.includes(type)}>
              {EVENT_MEANINGS[type]} <code className="soft">{type}</code>
            </Choice>
          </li>
        ))}
      </ul>
    </fieldset>
    {children}
  </Form>
);

export const EndedWebhooks = ({ webhooks }: { webhooks: Webhook[] }) =>
  webhooks.map((webhook) => (
    <Notice key={webhook.id} tone="needs" title="A webhook is disabled">
      <p>
        <Link to={`/account/webhooks/${webhook.id}`}>
          <bdi className="mono">
            <Dotted name={webhook.url} />
          </bdi>
        </Link>{" "}
        {endText(webhook)}.
      </p>
    </Notice>
  ));

export function answerText({ status, reason, state }: Delivery): string {
  if (status !== null) return `HTTP ${status}`;
  if (reason !== null) return (OUTBOUND_FAILURES as Record<string, string>)[reason] ?? reason;
  return state === "failed" ? "given up" : "not sent yet";
}

export const DELIVERY_STATES: Record<Delivery["state"], StateLabel> = {
  delivered: { tone: "proved", word: "delivered" },
  pending: { tone: "waiting", word: "waiting" },
  failed: { tone: "needs", word: "failed" },
};
