import { domainToUnicode } from "node:url";
import { providerOf } from "@deed/dns/names.ts";
import type { Playground } from "../playground.ts";
import { type ZoneRecord, zoneLine } from "../records.ts";
import { SAMPLE_ZONES } from "../samples.ts";
import { dataText, idOf, type Problem, RECORD_TYPES, type TypedRecord } from "./editing.ts";
import { type Habit, habitOf, typedName } from "./habits.ts";
import { type Html, html } from "./html.ts";
import { entry, field, head, page, table } from "./layout.ts";
import { SITUATIONS } from "./situations.ts";

/** The panel for editing a zone, chosen by its nameservers. */
export const panelOf = (playground: Playground, zone: string): Habit =>
  habitOf(providerOf(hostsOf(playground, zone)));

const hostsOf = ({ world }: Playground, zone: string) => world.zone(zone).ownNameservers;

/** Zones a visitor may edit: samples and the situations that are set up, not the infrastructure. */
export const editableZones = ({ world }: Playground): string[] =>
  [...SAMPLE_ZONES, ...SITUATIONS.map(({ zone }) => ({ name: zone }))]
    .map(({ name }) => name)
    .filter((name) => world.hasZone(name));

const unicodeOf = (zone: string) =>
  domainToUnicode(zone) === zone
    ? null
    : html`<br><span class="soft">${domainToUnicode(zone)}</span>`;

export function zonesPage(playground: Playground, serviceUrl: string): Html {
  const rows = editableZones(playground).map(
    (zone) => html`<tr>
<th scope="row"><a href="/zones/${zone}">${zone}</a>${unicodeOf(zone)}</th>
<td class="short">${panelOf(playground, zone).title}</td>
<td class="mono">${hostsOf(playground, zone).join(", ")}</td>
</tr>`,
  );
  return page(
    "Zones",
    html`${head("Begin here", "The registrar, the mailbox and the whole DNS of this demo.", "Demo")}
${entry(
  "Prove a domain",
  html`<ol class="steps">
<li><a href="${serviceUrl}/sign-in?next=%2Fzones%2Facme.com%3Fprove" target="_blank" rel="noopener">Sign in to Deed</a> with any email address: it need not exist.</li>
<li>Open the email in <a href="/mail">the mailbox</a>, and press the button behind its link. Deed shows a record for acme.com.</li>
<li>Add that record to <a href="/zones/acme.com">acme.com</a> here, as you would at your registrar.</li>
<li>Watch Deed find it, within seconds. Then publish a link to the proof.</li>
<li>Delete the record after the proof, and press “Watch the record” in Deed: within 15 seconds its page, reloaded, says that no nameserver had it. A notice follows only if a check six hours later agrees.</li>
</ol>`,
)}
${entry("Your domains", table(["Domain", "Panel", "Nameservers"], rows))}
${entry("Situations", html`<p>Thirteen mistakes and four waits, each in its own zone.</p><p><a class="button" href="/situations">Choose a situation</a></p>`)}`,
  );
}

/** Servers whose copy differs from the one shown. */
function differing({ world }: Playground, zone: string): string[] {
  const text = (host: string) => world.copy(zone, host).records.map(zoneLine).sort().join("\n");
  const [first, ...others] = world.zone(zone).servedBy;
  return first === undefined ? [] : others.filter((host) => text(host) !== text(first));
}

const recordForm = (
  panel: Habit,
  action: string,
  typed: TypedRecord,
  problem: Problem | null,
  buttons: Html,
) => {
  const errorOf = (name: keyof TypedRecord) =>
    problem?.field === name ? problem.message : undefined;
  return html`<form method="post" action="${action}" class="stack">
<div class="field"><label for="type">${panel.labels.type}</label><select id="type" name="type">${RECORD_TYPES.map(
    (type) => html`<option${type === typed.type ? html` selected` : null}>${type}</option>`,
  )}</select></div>
${field({ label: panel.labels.name, name: "name", value: typed.name, hint: panel.nameHint, error: errorOf("name"), dns: true, maxLength: 300 })}
${field({ label: panel.labels.value, name: "value", value: typed.value, error: errorOf("value"), dns: true, required: true, maxLength: 2000 })}
${field({ label: "TTL (seconds)", name: "ttl", value: typed.ttl, error: errorOf("ttl"), maxLength: 5 })}
<div class="row">${buttons}</div>
</form>`;
};

const recordRow = (panel: Habit, zone: string, record: ZoneRecord) => html`<tr>
<td class="short">${record.type}</td>
<th scope="row" class="mono">${typedName(record.name, zone)}</th>
<td class="mono">${dataText(panel, record)}</td>
<td class="figures short">${record.ttl}</td>
<td class="short"><a href="/zones/${zone}/records/${idOf(record)}">Edit<span class="unseen"> ${record.type} ${record.name}</span></a></td>
</tr>`;

export function zonePage(
  playground: Playground,
  zone: string,
  typed: TypedRecord,
  problem: Problem | null,
): Html {
  const panel = panelOf(playground, zone);
  const { records, serial } = playground.world.copy(zone);
  const differingHosts = differing(playground, zone);
  return page(
    zone,
    html`${head(zone, html`${panel.title} serves this zone on <span class="mono">${hostsOf(playground, zone).join(", ")}</span>.`, html`<span>${domainToUnicode(zone) === zone ? "Zone" : domainToUnicode(zone)}</span><span>Serial ${serial}</span>`)}
${differingHosts.length > 0 ? html`<p class="panel waiting">Different on <span class="mono">${differingHosts.join(", ")}</span>.</p>` : null}
${entry(
  "Records",
  table(
    [panel.labels.type, panel.labels.name, panel.labels.value, "TTL", "Change"],
    records.map((record) => recordRow(panel, zone, record)),
  ),
)}
${entry("Add a record", recordForm(panel, `/zones/${zone}/records`, typed, problem, html`<button type="submit" class="primary">Save record</button>`))}`,
  );
}

export function recordPage(
  playground: Playground,
  zone: string,
  id: string,
  typed: TypedRecord,
  problem: Problem | null,
): Html {
  const form = recordForm(
    panelOf(playground, zone),
    `/zones/${zone}/records/${id}`,
    typed,
    problem,
    html`<button type="submit" class="primary" name="intent" value="save">Save record</button><button type="submit" class="danger" name="intent" value="delete" formnovalidate>Delete record</button>`,
  );
  return page(
    `Edit a record of ${zone}`,
    html`${head("Edit a record", html`of <a href="/zones/${zone}">${zone}</a>`)}${entry("Record", form)}`,
  );
}
