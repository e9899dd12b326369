import { DIAGNOSES } from "@deed/dns/words/diagnoses/diagnoses.ts";
import { dateInWords } from "@deed/dns/words/wording.ts";
import type { Context } from "#app/core/context.server.ts";
import { troubleWords } from "../watching/trouble.ts";
import { isTrouble } from "../watching/watch-states.ts";
import { EVENT_MEANINGS, type WebhookEvent } from "./events.ts";
import type { WebhookKind } from "./kinds.ts";

type Message = { type: string; body: string };
export type Subject = { id: string; name: string; reference: string } | null;

/** Says what happened, without any text that a stranger put in DNS. `domain` is null if the message is about none. */
export function sentenceOf({ type, body }: Message, domain: Subject): string {
  const fullMeaning = EVENT_MEANINGS[type as WebhookEvent] ?? "This is a test";
  const meaning = fullMeaning.replace(/[:,] .*$/, "");
  if (!domain) return `${meaning}.`;
  const subject = domain.reference ? `${domain.name} for ${domain.reference}` : domain.name;
  if (type === "claim.needs_attention") {
    const { code } = JSON.parse(body).data.verification.diagnosis;
    return `${subject}: ${DIAGNOSES[code as keyof typeof DIAGNOSES].title}.`;
  }
  if (type === "domain.expiring") {
    const ends = JSON.parse(body).data.watch.registrationExpiresAt;
    const { says } = troubleWords("registration_expiring", `on ${dateInWords(ends)}`);
    return `${subject}${says}, unless it renews automatically.`;
  }
  const state = type.replace("watch.", "");
  if (isTrouble(state)) return `${subject}${troubleWords(state).says}.`;
  const sentence = meaning.replace(
    /^A (?:watched )?(domain|record|claim)(?: with a watched record)?/,
    (_, noun) => (noun === "domain" ? subject : `The ${noun} of ${subject}`),
  );
  return sentence === meaning ? `${meaning}: ${subject}.` : `${sentence}.`;
}

const ENTITIES: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;" };
const asJson = { "Content-Type": "application/json" };

/** Writes a post in the format of each service. Nothing in `text` becomes a mention or a link. */
export const POST_FORMATS = {
  slack: (text: string, link: string) => ({
    headers: asJson,
    body: JSON.stringify({
      text: `${text.replace(/[&<>]/g, (one) => ENTITIES[one] ?? "")}\n<${link}|Open in Deed>`,
      unfurl_links: false,
    }),
  }),
  discord: (text: string, link: string) => ({
    headers: asJson,
    body: JSON.stringify({
      content: `${text.replace(/[\\*_~`|<>#@:[\]]/g, "\\$&")}\n<${link}>`,
      allowed_mentions: { parse: [] },
    }),
  }),
  ntfy: (text: string, link: string) => ({
    headers: { "Content-Type": "text/plain; charset=utf-8", Title: "Deed", Click: link },
    body: text,
  }),
};

type PostInput = { webhook: { id: string; kind: WebhookKind }; message: Message; domain: Subject };

/** Makes a post, for `deed` without its signature. Test mode has no pages to link to. */
export function postOf({ settings, test }: Pick<Context, "settings" | "test">, posted: PostInput) {
  const { webhook, message, domain } = posted;
  if (webhook.kind === "deed") return { headers: asJson, body: message.body };
  const page = domain ? `/domains/${domain.id}` : `/account/webhooks/${webhook.id}`;
  const link = settings.baseUrl + (test ? "/docs/test-mode" : page);
  return POST_FORMATS[webhook.kind]((test ? "TEST: " : "") + sentenceOf(message, domain), link);
}
