import { type Html, html } from "./html.ts";

/** A complete page of the panel. */
export const page = (title: string, content: Html): Html => html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · Registrar panel</title>
<link rel="icon" href="/favicon.svg" type="image/svg+xml">
<link rel="stylesheet" href="/styles/deed.css">
<link rel="stylesheet" href="/panel.css">
</head>
<body>
<a href="#main" class="skip">Skip to the content</a>
<header class="masthead wide row apart">
<a class="wordmark" href="/">Registrar panel</a>
<nav aria-label="Main" class="nav"><ul class="plain">
<li><a href="/">Zones</a></li>
<li><a href="/situations">Situations</a></li>
<li><a href="/mail">Mailbox</a></li>
<li><a href="/hooks">Webhooks</a></li>
</ul></nav>
</header>
<main id="main" class="wide" tabindex="-1">${content}</main>
<footer class="colophon"><div class="wide">A playground: these zones exist only on this machine, until the demo ends.</div></footer>
</body>
</html>
`;

export const head = (title: string, lead: Html | string, above: Html | string = ""): Html =>
  html`<header class="head"><div class="kicker">${above}</div><h1>${title}</h1><p class="lead">${lead}</p></header>`;

export const entry = (title: string, content: Html): Html =>
  html`<section class="entry"><h2>${title}</h2><div class="stack">${content}</div></section>`;

/** A table that becomes a list on narrow screens. */
export const table = (columns: readonly string[], rows: Html[]): Html =>
  html`<table class="folds"><thead><tr>${columns.map((title) => html`<th scope="col">${title}</th>`)}</tr></thead><tbody>${rows}</tbody></table>`;

export type FieldOptions = {
  /** Distinguishes fields with the same name on one page. */
  id?: string;
  label: string;
  name: string;
  value: string;
  hint?: string;
  error?: string | undefined;
  dns?: boolean;
  required?: boolean;
  maxLength: number;
};

export const field = ({
  id: given,
  label,
  name,
  value,
  hint,
  error,
  dns,
  required,
  maxLength,
}: FieldOptions): Html => {
  const id = given ?? name;
  const describedBy = [error ? `${id}-error` : "", hint ? `${id}-hint` : ""].filter(Boolean);
  return html`<div class="field">
<label for="${id}">${label}</label>
<input id="${id}" name="${name}" value="${value}" maxlength="${maxLength}" autocomplete="off" autocapitalize="none" spellcheck="false" class="${dns ? "dns" : ""}"${required ? html` required` : null}${error ? html` aria-invalid="true" autofocus` : null}${describedBy.length > 0 ? html` aria-describedby="${describedBy.join(" ")}"` : null}>
${error ? html`<p class="error" id="${id}-error">${error}</p>` : null}
${hint ? html`<p class="hint" id="${id}-hint">${hint}</p>` : null}
</div>`;
};
