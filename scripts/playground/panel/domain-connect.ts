import { createPublicKey, verify } from "node:crypto";
import type { ConnectTemplate } from "#app/services/connect/template.ts";
import type { Playground } from "../playground.ts";
import { txt, type ZoneRecord, zoneLine } from "../records.ts";
import { html } from "./html.ts";
import { entry, head, page } from "./layout.ts";
import { Refusal } from "./request.ts";

/** The panel as a provider of the synchronous flow (draft-ietf-dconn-domainconnect). */
type Provider = { url: string; template: ConnectTemplate } | null;

/** What a signed call asks for, and where it ends. */
export type Change = {
  zone: string;
  serviceName: string;
  providerName: string;
  records: ZoneRecord[];
  /** The service's address, with its state. */
  back: URL;
  /** The call's query string, for the form that agrees to it. */
  query: string;
};

const notHere = () => new Refusal(404, "This panel does not have that.");

/** The settings of a zone. */
export function settingsOf(provider: Provider, zone: string): object {
  if (!provider) throw notHere();
  const { url } = provider;
  return {
    providerId: "panel.example",
    providerName: "Registrar panel",
    urlSyncUX: url,
    urlAPI: url,
    urlControlPanel: `${url}/zones/%domain%`,
    nameServers: [],
    zone,
  };
}

/** The template that a path names. */
export function templateOf(provider: Provider, path: string[]): ConnectTemplate {
  const [, , , providerId, , serviceId] = path;
  const { template } = provider ?? {};
  if (!template || template.providerId !== providerId || template.serviceId !== serviceId)
    throw notHere();
  return template;
}

/** The key published at `label` below the template's domain, in DER; null if it is not in the playground's DNS. */
function publishedKey({ world }: Playground, domain: string, label: string): Buffer | null {
  const zone = world.zoneNames().find((name) => name === domain);
  const parts = zone === undefined ? [] : world.copy(zone).records;
  const data = parts
    .flatMap((record) =>
      record.type === "TXT" && record.name === `${label}.${domain}` ? [record.data.join("")] : [],
    )
    .toSorted()
    .map((text) => /,d=(.*)$/.exec(text)?.[1] ?? "")
    .join("");
  return data === "" ? null : Buffer.from(data, "base64");
}

function isSigned(playground: Playground, template: ConnectTemplate, query: string): boolean {
  const all = new URLSearchParams(query);
  const text = query
    .split("&")
    .filter((part) => !/^(sig|key)=/.test(part))
    .join("&");
  const key = publishedKey(playground, template.syncPubKeyDomain, all.get("key") ?? "");
  if (!key) return false;
  const publicKey = createPublicKey({ key, format: "der", type: "spki" });
  const signature = Buffer.from(all.get("sig") ?? "", "base64");
  return verify("RSA-SHA256", Buffer.from(text), publicKey, signature);
}

/** What the call asks for, after its signature and the place to return to were checked. */
export function changeOf(playground: Playground, template: ConnectTemplate, query: string): Change {
  if (!isSigned(playground, template, query))
    throw new Refusal(403, "The signature of this request is not valid.");
  const fields = new URLSearchParams(query);
  const zone = fields.get("domain") ?? "";
  const host = fields.get("host") ?? "";
  const back = URL.parse(fields.get("redirect_uri") ?? "");
  if (!back || !template.syncRedirectDomain.split(",").includes(back.hostname))
    throw new Refusal(400, "The template does not allow a return to that address.");
  back.searchParams.set("state", fields.get("state") ?? "");
  const records = template.records.map((record) =>
    txt(
      [record.host, host, zone].filter(Boolean).join("."),
      record.data.replace(/%(\w+)%/g, (_, name: string) => fields.get(name) ?? ""),
      record.ttl,
    ),
  );
  const { serviceName, providerName } = template;
  return { zone, serviceName, providerName, records, back, query };
}

/** Asks whether to make the change. */
export const connectPage = ({ zone, serviceName, providerName, records, query }: Change) =>
  page(
    `Connect ${zone}`,
    html`${head(`Connect ${zone}`, html`<strong>${providerName}</strong> asks to set up: ${serviceName}.`)}
${entry(
  "What is added",
  html`<pre>${records.map(zoneLine).join("\n")}</pre>
<form method="post" class="row">
<input type="hidden" name="query" value="${query}">
<button type="submit" class="primary" name="intent" value="connect">Connect</button>
<button type="submit" name="intent" value="cancel">Cancel</button>
</form>`,
)}`,
  );
