import type { WEBHOOK_KINDS } from "#db/schema.ts";
import { DEFAULT_EVENTS, EVENTS_SHOWN, type WebhookEvent } from "./events.ts";

export type WebhookKind = (typeof WEBHOOK_KINDS)[number];

export const KIND_NAMES: Record<WebhookKind, string> = {
  deed: "Signed JSON",
  slack: "Slack",
  discord: "Discord",
  ntfy: "ntfy",
};

/** Recognizes the kind by the address of a known service; a self-hosted server has none that is known. */
export function kindOfUrl(url: string): WebhookKind {
  const { hostname = "", pathname = "" } = URL.parse(url) ?? {};
  if (/^hooks\.slack(-gov)?\.com$/.test(hostname)) return "slack";
  if (hostname === "ntfy.sh") return "ntfy";
  const isDiscord = /^((canary|ptb)\.)?discord(app)?\.com$/.test(hostname);
  return isDiscord && /^\/api(\/v\d+)?\/webhooks\/\d+\/[\w-]+$/.test(pathname) ? "discord" : "deed";
}

/** The events for people, with each change once. */
const PEOPLE_EVENTS: WebhookEvent[] = EVENTS_SHOWN.filter((type) =>
  /^(claim\.(proved|expired|needs_attention)|watch\.|domain\.(expiring|renewed))/.test(type),
);

export const defaultEvents = (kind: WebhookKind): WebhookEvent[] =>
  kind === "deed" ? DEFAULT_EVENTS : PEOPLE_EVENTS;
