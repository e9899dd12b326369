import { OUTBOUND_FAILURES } from "#app/core/outbound/failures.ts";
import type { Delivery, ShownWebhook } from "#app/features/webhooks/deliveries.server.ts";
import { END_REASON_TEXTS } from "#app/features/webhooks/end-texts.ts";
import { EVENT_GROUPS, EVENT_MEANINGS, EVENTS_SHOWN } from "#app/features/webhooks/events.ts";
import { defaultEvents, KIND_NAMES, kindOfUrl } from "#app/features/webhooks/kinds.ts";
import type { Webhook } from "#app/features/webhooks/webhooks.server.ts";
import { Form, Link } from "#app/remix/react.ts";
import { countText } from "#app/ui/confirm.tsx";
import { Value } from "#app/ui/copy.tsx";
import { Choice, Field } from "#app/ui/field.tsx";
import { Dotted } from "#app/ui/name.tsx";
import { Entry, Fold, Notice, Problem, type StateLabel, StateWord } from "#app/ui/page.tsx";
import { relativeText } from "#app/ui/time.tsx";

export function WebhookState({ webhook, now }: { webhook: ShownWebhook; now: string }) {
  const { disabledBecause: end, disabledAt, refused } = webhook;
  const ago = (at: string | null) => relativeText(at ?? now, now);
  if (!end && !refused) return <StateWord tone="proved" word="enabled" />;
  const by = end === "holder" ? "this account" : "Deed";
  const word = end ? `disabled by ${by} ${ago(disabledAt)}` : "failing";
  const why = end
    ? `It ${END_REASON_TEXTS[end]}.`
    : refused &&
      `It did not accept an event ${ago(refused.triedAt)}: ${answerText(refused)}. Deed tries again ${ago(refused.nextTryAt)}.`;
  return (
    <>
      <StateWord tone={by === "Deed" ? "needs" : "ended"} word={word} />
      <div className="soft">{why}</div>
    </>
  );
}

export const NewSecret = ({ secret, children }: { secret: string; children: React.ReactNode }) => (
  <Entry title="Secret">
    <Notice tone="waiting">
      <p role="status">{children} Copy it now: it is not shown again.</p>
      <Value text={secret} what="the secret" />
    </Notice>
  </Entry>
);

/** `kind` is undefined if the address shows it. */
type TypedWebhook = { url: string; kind?: Webhook["kind"] | undefined; events: readonly string[] };
type WebhookFormProps = {
  typed: TypedWebhook;
  error: string | undefined;
  children: React.ReactNode;
};

export function typedWebhook(form: URLSearchParams): TypedWebhook {
  const url = form.get("url") ?? "";
  const kind = (form.get("kind") || undefined) as TypedWebhook["kind"];
  const usual = defaultEvents(kind ?? kindOfUrl(url));
  return { url, kind, events: form.get("which") === "all" ? usual : form.getAll("events") };
}

const isDefault = ({ url, kind = kindOfUrl(url), events }: TypedWebhook) =>
  String(events) === String(defaultEvents(kind));

export function eventsText(webhook: TypedWebhook): string {
  const { url, kind = kindOfUrl(url), events } = webhook;
  if (isDefault(webhook)) return kind === "deed" ? "all but single checks" : "proofs and problems";
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
      error={typed.events[0] && error}
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
    <Fold title={`Events: ${eventsText(typed)}`} open={!typed.events[0]}>
      <Problem message={typed.events[0] ? null : "Tick at least one event."} />
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
              ? "Recommended: all but single checks (in a chat: proofs and problems)"
              : "Choose"}
          </Choice>
        ))}
        <div className="stack chosen more">
          {EVENT_GROUPS.map(({ title, events }) => (
            <fieldset key={title}>
              <legend>{title}</legend>
              {events.map((type) => (
                <Choice
                  key={type}
                  name="events"
                  value={type}
                  defaultChecked={typed.events.includes(type)}
                >
                  {EVENT_MEANINGS[type]} <code className="soft">{type}</code>
                </Choice>
              ))}
            </fieldset>
          ))}
        </div>
      </fieldset>
    </Fold>
    {children}
  </Form>
);

export const WebhookLink = ({ id, url }: Webhook) => (
  <Link to={`/account/webhooks/${id}`}>
    <bdi className="mono">
      <Dotted name={url} />
    </bdi>
  </Link>
);

/** Those that Deed disabled, or that refused an event; not those that the account disabled. */
export function WebhooksInTrouble({ webhooks, now }: { webhooks: ShownWebhook[]; now: string }) {
  const isBroken = ({ disabledBecause: end, refused }: ShownWebhook) =>
    end ? end !== "holder" : refused;
  const broken = webhooks.filter(isBroken);
  const count = broken.length;
  const title = `${countText(count, "webhook")} ${count === 1 ? "does" : "do"} not work`;
  return count === 0 ? null : (
    <Notice tone="needs" title={title}>
      <div className="stack">
        {broken.map((webhook) => (
          <div key={webhook.id}>
            <WebhookLink {...webhook} />
            <br />
            <WebhookState webhook={webhook} now={now} />
          </div>
        ))}
      </div>
    </Notice>
  );
}

export function answerText({ status, reason, state }: Omit<Delivery, "nextTryAt">): string {
  if (status !== null) return `HTTP ${status}`;
  if (reason !== null) return (OUTBOUND_FAILURES as Record<string, string>)[reason] ?? reason;
  return state === "failed" ? "given up" : "not sent yet";
}

export const DELIVERY_STATES: Record<Delivery["state"], StateLabel> = {
  delivered: { tone: "proved", word: "delivered" },
  pending: { tone: "waiting", word: "waiting" },
  failed: { tone: "needs", word: "failed" },
};
