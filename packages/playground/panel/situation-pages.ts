import { habitOf } from "./habits.ts";
import { type Html, html } from "./html.ts";
import { entry, field, head, page, table } from "./layout.ts";
import { SITUATIONS, type Situation } from "./situations.ts";
import type { Progress, Stage } from "./stage.ts";
import { GUEST } from "./visitor.ts";

const PROGRESS: Record<Progress, string> = {
  absent: "not set up",
  ready: "ready",
  wrong: "broken",
  right: "fixed",
};

const row = (stage: Stage, situation: Situation) => html`<tr>
<th scope="row" class="short"><a href="/situations/${situation.code}" class="mono">${situation.code}</a></th>
<td>${situation.story}</td>
<td class="short">${PROGRESS[stage.state(situation).progress]}</td>
<td class="short"><form method="post" action="/situations/${situation.code}/play"><button type="submit" class="quiet">Play<span class="unseen"> ${situation.code}</span></button></form></td>
</tr>`;

const listed = (stage: Stage, situations: Situation[]) =>
  table(
    ["Code", "What happened", "State", "In Deed"],
    situations.map((situation) => row(stage, situation)),
  );

export function situationsPage(stage: Stage): Html {
  const mistakeSituations = SITUATIONS.filter(({ kind }) => kind === "mistake");
  const waits = SITUATIONS.filter(({ kind, code }) => kind === "wait" || code === "negative_cache");
  return page(
    "Situations",
    html`${head("Situations", `Each button adds a domain to your account, has this happen to it, and opens Deed on it. If you are not signed in there, it signs you in as ${GUEST}.`, "Thirteen mistakes, four waits")}
${entry("Mistakes", listed(stage, mistakeSituations))}
${entry("Waits", listed(stage, waits))}`,
  );
}

/** A submission that was rejected. */
export type RejectedInput = { act: string; value: string; message: string } | null;

type FormOptions = { act: string; label: string; value: string; button: string };

const actForm = (
  { code }: Situation,
  rejected: RejectedInput,
  { act, label, value, button }: FormOptions,
) => {
  const rejectedHere = rejected?.act === act ? rejected : null;
  const options = {
    id: `${act}-value`,
    label,
    name: "value",
    value: rejectedHere?.value ?? value,
    error: rejectedHere?.message,
    dns: true,
    required: true,
    maxLength: 255,
  };
  return html`<form method="post" action="/situations/${code}/${act}" class="stack">
${label === "" ? null : field(options)}
<div><button type="submit" class="primary">${button}</button></div>
</form>`;
};

const claimStep = (situation: Situation, serviceUrl: string) => {
  const steps = situation.steps ?? ["Add the domain, and copy the value of its record."];
  return entry(
    "In Deed",
    html`<p>Open <a href="${serviceUrl}" target="_blank" rel="noopener">Deed</a>.</p><ol class="stack">${steps.map((text) => html`<li>${text}</li>`)}</ol>`,
  );
};

const mistakeStep = (situation: Situation, rejected: RejectedInput) =>
  entry(
    "Then",
    actForm(situation, rejected, {
      act: "go-wrong",
      label: situation.asks ? `Paste ${situation.asks}` : "",
      value: "",
      button: "Make it happen",
    }),
  );

const fixStep = (situation: Situation, rejected: RejectedInput, value: string) =>
  html`${entry("What Deed says", html`<p>${situation.outcome ?? html`Deed reports <code>${situation.code}</code> at the next check. “Check now” checks at once.`}</p>`)}
${entry(
  "Fix it",
  actForm(situation, rejected, {
    act: "put-right",
    label: "Paste the value of the claim's record",
    value: situation.asks === "the value of the claim's record" ? value : "",
    button: "Fix the record",
  }),
)}`;

const zoneStep = ({ zone, code, kind }: Situation, progress: Progress) => {
  const isNew = progress === "absent";
  return entry(
    "Zone",
    html`<p class="value"><code>${zone}</code></p>
${isNew ? null : html`<p><a href="/zones/${zone}">See its records</a></p>`}
<form method="post" action="/situations/${code}/play"><button type="submit" class="${isNew ? "primary" : ""}">${isNew ? `Play this ${kind}` : "Play it again"}</button></form>
${isNew ? html`<p class="hint">Adds the domain to your account, has this happen, and opens Deed. If you are not signed in there, it signs you in as ${GUEST}.</p>` : null}
<form method="post" action="/situations/${code}/set-up"><button type="submit" class="quiet">${isNew ? "Set up the zone alone" : "Start over"}</button></form>`,
  );
};

/** One situation at its current step. */
export function situationPage(
  stage: Stage,
  situation: Situation,
  serviceUrl: string,
  rejected: RejectedInput,
): Html {
  const { progress, value } = stage.state(situation);
  const labels = html`<span>${situation.kind === "wait" ? "A wait" : "A mistake"} at ${habitOf(situation.provider).title}</span><span>${PROGRESS[progress]}</span>`;
  return page(
    situation.code,
    html`${head(situation.code, situation.story, labels)}
${zoneStep(situation, progress)}
${progress === "absent" ? null : claimStep(situation, serviceUrl)}
${progress === "ready" ? mistakeStep(situation, rejected) : null}
${progress === "wrong" ? fixStep(situation, rejected, value) : null}
${progress === "right" ? entry("Fixed", html`<p>The record is in the right place. Deed finds it automatically, within a few minutes if resolvers still have an old answer cached.</p>`) : null}`,
  );
}
