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
import { Entry, Fold, Notice, type StateLabel, StateWord } from "#app/ui/page.tsx";
import { relativeText } from "#app/ui/time.tsx";

type ShownWebhook = Webhook & { refused: Delivery | null };

type StateProps = { webhook: ShownWebhook; now: string };

/** A webhook's state, since when and why. */
export function WebhookState({
  webhook: { disabledBecause: end, disabledAt, refused },
  now,
}: StateProps) {
  if (!end && !refused) return <StateWord tone="proved" word="enabled" />;
  const ago = (at: string | null | undefined) => relativeText(at ?? now, now);
  const isByHand = end === "holder";
  const word = end ? `disabled by ${isByHand ? "hand" : "Deed"}` : "failing";
  const why =
    refused && !end
      ? `It did not accept an event from ${ago(refused.createdAt)}. Last answer ${ago(refused.triedAt)}: ${answerText(refused)}. Next try ${ago(refused.nextTryAt)}.`
      : `${ago(disabledAt)}.${end && !isByHand ? ` It ${END_REASON_TEXTS[end]}.` : ""}`;
  return (
    <>
      <StateWord tone={isByHand ? "ended" : "needs"} word={word} />{" "}
      <span className="soft">{why}</span>
    </>
  );
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

export function eventsText(of: Typed): string {
  const { url, kind = kindOfUrl(url), events } = of;
  if (isDefault(of)) return kind === "deed" ? "all except single checks" : "proofs and problems";
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
    <Fold
      title={
        <>
          Events<span className="closed">: {eventsText(typed)}</span>
        </>
      }
    >
      <fieldset aria-label="Events">
        {["all", "some"].map((which) => (
          <Choice
            key={which}
            type="radio"
            name="which"
            value={which}
            defaultChecked={(which === "all") === isDefault(typed)}
          >
            {which === "all"
              ? "The usual: all except single checks, or in a chat proofs and problems"
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
    </Fold>
    {children}
  </Form>
);

export const WebhookLink = ({ webhook: { id, url } }: { webhook: Webhook }) => (
  <Link to={`/account/webhooks/${id}`}>
    <bdi className="mono">
      <Dotted name={url} />
    </bdi>
  </Link>
);

type TroubleProps = { webhooks: ShownWebhook[]; now: string };

export const WebhooksInTrouble = ({ webhooks, now }: TroubleProps) =>
  webhooks.map((webhook) => (
    <Notice key={webhook.id} tone="needs" title="A webhook does not work">
      <p>
        <WebhookLink webhook={webhook} />
      </p>
      <p>
        <WebhookState webhook={webhook} now={now} />
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
