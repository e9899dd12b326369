/** Called by payloads that run; the test listens for it. */
const RUN = "window.__ran()";

const MARKUP = [
  `<script>${RUN}</script>`,
  `</script><script>${RUN}</script>`,
  `"><script>${RUN}</script>`,
  `'><img src=x onerror=${RUN}>`,
  `<img src=x onerror="${RUN}">`,
  `<svg onload=${RUN}>`,
  `<svg><script>${RUN}</script></svg>`,
  `<math><mtext><script>${RUN}</script>`,
  `<iframe srcdoc="<script>parent.__ran()</script>">`,
  `<iframe src="javascript:parent.__ran()">`,
  `<a href="javascript:${RUN}" autofocus>x</a>`,
  `<details open ontoggle=${RUN}>`,
  `<input autofocus onfocus=${RUN}>`,
  `<video><source onerror=${RUN}>`,
  `<body onload=${RUN}>`,
  `<style>@import "//evil.example/x.css"</style>`,
  `<link rel=stylesheet href=//evil.example/x.css>`,
  `<base href=//evil.example/>`,
  `<meta http-equiv=refresh content="0;url=javascript:${RUN}">`,
  `<form action=//evil.example><button autofocus>x`,
  `<object data="data:text/html,<script>${RUN}</script>">`,
  `<template><script>${RUN}</script></template>`,
  `<noscript><p title="</noscript><img src=x onerror=${RUN}>">`,
  `--><script>${RUN}</script><!--`,
  `]]><script>${RUN}</script>`,
  `\${${RUN}}`,
  `{{${RUN}}}`,
  `javascript:${RUN}`,
  `data:text/html,<script>${RUN}</script>`,
  `" onmouseover="${RUN}" autofocus onfocus="${RUN}`,
  `' style='background:url(//evil.example)'`,
  `&lt;script&gt;${RUN}&lt;/script&gt;`,
  `&#60;script&#62;${RUN}&#60;/script&#62;`,
  `%3Cscript%3E${RUN}%3C/script%3E`,
  `\\u003cscript\\u003e${RUN}\\u003c/script\\u003e`,
  `{"__proto__":{"dangerouslySetInnerHTML":{"__html":"<img src=x onerror=${RUN}>"}}}`,
  `window.__remixContext={};${RUN}//`,
  `*/${RUN}/*`,
  `';${RUN};'`,
  `";${RUN};"`,
];

/** Bidi, invisible, control and line-end characters, and those that break scripts in JSON. */
const ODD = [
  ...Array.from("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\u200e\u200f\u061c"),
  ...Array.from("\u200b\u200d\u2060\ufeff\u00ad\u034f\u0000\u0007\u0008\u000b\u007f\u0085"),
  ...Array.from("\u2028\u2029\t\ufffd\u{e0041}"),
  ...["\u001b[31m", "\r\n", "\u{1f468}\u200d\u{1f469}", "e\u0301\u0301\u0301\u0301"],
];

/** `count` different texts of at most `length` characters, combining each kind of markup with each odd character. */
export function payloads(count: number, length: number): string[] {
  const texts = Array.from({ length: MARKUP.length * ODD.length }, (_, at) => {
    const markup = MARKUP[at % MARKUP.length] ?? "";
    const odd = ODD[Math.floor(at / MARKUP.length)] ?? "";
    const middle = Math.floor(markup.length / 2);
    const placed = [
      `${odd}${markup}`,
      `${markup.slice(0, middle)}${odd}${markup.slice(middle)}`,
      `${markup}${odd}`,
    ];
    return (placed[at % 3] ?? "").slice(0, length);
  });
  // Steps through the whole table, so that a small sample has all kinds.
  const step = 101;
  return Array.from({ length: count }, (_, at) => texts[(at * step) % texts.length] ?? "");
}

/** Characters that no page may show unescaped. */
export const UNSEEN = /(?![\t\n\r])[\p{Cc}\p{Bidi_Control}]/u;
