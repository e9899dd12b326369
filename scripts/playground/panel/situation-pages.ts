import { HABITS } from "./habits.ts";
import { type Html, html } from "./html.ts";
import { entry, field, head, page } from "./layout.ts";
import { SITUATIONS, type Situation } from "./situations.ts";
import type { Progress, Stage } from "./stage.ts";

const PROGRESS: Record<Progress, string> = {
  absent: "not set up",
  ready: "ready to be claimed",
  wrong: "gone wrong",
  right: "put right",
};

const row = (stage: Stage, situation: Situation) => html`<tr>
<th scope="row"><a href="/situations/${situation.code}" class="mono">${situation.code}</a></th>
<td>${situation.story}</td>
<td>${PROGRESS[stage.state(situation).progress]}</td>
<td><form method="post" action="/situations/${situation.code}/set-up"><button type="submit" class="quiet">Set up<span class="unseen"> ${situation.code}</span></button></form></td>
</tr>`;

const table = (stage: Stage, situations: Situation[]) =>
  html`<table class="folds"><thead><tr><th scope="col">Code</th><th scope="col">What happened</th><th scope="col">Now</th><th scope="col">Zone</th></tr></thead><tbody>${situations.map((situation) => row(stage, situation))}</tbody></table>`;

export function situationsPage(stage: Stage): Html {
  const mistakes = SITUATIONS.filter(({ kind }) => kind === "mistake");
  const waits = SITUATIONS.filter(({ kind, code }) => kind === "wait" || code === "negative_cache");
  return page(
    "Situations",
    html`${head("Situations", "Each button sets up a zone in which exactly this happens.", "Thirteen mistakes, four waits")}
${entry("Mistakes", table(stage, mistakes))}
${entry("Waits", table(stage, waits))}`,
  );
}

const valueForm = (
  situation: Situation,
  act: string,
  label: string,
  value: string,
  button: Html,
  error: string | undefined,
) => html`<form method="post" action="/situations/${situation.code}/${act}" class="stack">
${label === "" ? null : field({ label, name: "value", value, error, dns: true, required: true, maxLength: 255 })}
<div>${button}</div>
</form>`;

export function situationPage(
  stage: Stage,
  situation: Situation,
  serviceUrl: string,
  problem: { act: string; value: string; message: string } | null,
): Html {
  const { progress, value } = stage.state(situation);
  const { zone, code, asks } = situation;
  const typed = (act: string, remembered: string) =>
    problem?.act === act ? problem.value : remembered;
  const error = (act: string) => (problem?.act === act ? problem.message : undefined);
  const steps = situation.steps ?? ["Claim the zone, and copy the value of its record."];
  const asked = asks ? `Paste ${asks}` : "";
  const setUp = html`<form method="post" action="/situations/${code}/set-up"><button type="submit" class="${progress === "absent" ? "primary" : ""}">${progress === "absent" ? "Set up" : "Start over"}</button></form>`;
  const wrong = valueForm(
    situation,
    "go-wrong",
    asked,
    typed("go-wrong", ""),
    html`<button type="submit" class="primary">Let it happen</button>`,
    error("go-wrong"),
  );
  const right = valueForm(
    situation,
    "put-right",
    "Paste the value of the claim's record",
    typed("put-right", asks === "the value of the claim's record" ? value : ""),
    html`<button type="submit" class="primary">Put it right</button>`,
    error("put-right"),
  );
  return page(
    code,
    html`${head(code, situation.story, html`<span>${situation.kind === "wait" ? "A wait" : "A mistake"} at ${HABITS[situation.provider].title}</span><span>${PROGRESS[progress]}</span>`)}
${entry("Zone", html`<p class="value"><code>${zone}</code></p>${progress === "absent" ? null : html`<p><a href="/zones/${zone}">Its records</a></p>`}${setUp}`)}
${
  progress === "absent"
    ? null
    : html`${entry("In Deed", html`<ol class="stack">${steps.map((text) => html`<li>${text}</li>`)}</ol><p><a href="${serviceUrl}" target="_blank" rel="noopener">Open Deed</a> and claim <code>${zone}</code>.</p>`)}
${situation.atOnce ? null : entry("Then", progress === "ready" ? wrong : html`<p>It has happened. Deed comes to <code>${code}</code> at its next read; “Check now” reads at once.</p>`)}
${entry("To end it", right)}`
}`,
  );
}
