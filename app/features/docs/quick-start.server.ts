import type { Endpoint } from "#app/api/endpoint.server.ts";
import { proveDomain, showByName } from "#app/features/by-name/api.server.ts";
import { run } from "#app/features/claims/verifications.server.ts";
import { createProofLink } from "#app/features/proofs/api.server.ts";
import { readZoneStream } from "#app/features/zones/zones.server.ts";
import type { App } from "#app/http/app.server.ts";

export type Step = { title: string; text: string; curl: string; fetch: string };

type Body = Record<string, string>;
type PathOf = Pick<Endpoint, "method" | "path">;

/** An endpoint's path with its parameters filled in, in order. */
const fillPath = ({ path }: PathOf, ...values: string[]) =>
  values.reduce((text, value) => text.replace(/:\w+/, value), path);

/** The whole job as a series of calls by key, each generated from its endpoint. */
export function quickStart({ settings }: Pick<App, "settings">): Step[] {
  const { baseUrl, challengeLabel } = settings;
  const curl = ({ method }: PathOf, path: string, body?: Body) =>
    [
      `curl -s${method === "GET" ? "N" : ` -X ${method}`}`,
      '-H "Authorization: Bearer $DEED_KEY"',
      ...(body ? ["-H 'Content-Type: application/json'", `-d '${JSON.stringify(body)}'`] : []),
      `"${baseUrl}${path}"`,
    ].join(" \\\n  ");
  const fetchCode = ({ method }: PathOf, path: string, body?: Body) =>
    [
      `const answer = await fetch("${baseUrl}${path}", {`,
      ...(method === "GET" ? [] : [`  method: "${method}",`]),
      body
        ? '  headers: { Authorization: "Bearer " + key, "Content-Type": "application/json" },'
        : '  headers: { Authorization: "Bearer " + key },',
      ...(body ? [`  body: JSON.stringify(${JSON.stringify(body)}),`] : []),
      "});",
      "const result = await answer.json();",
    ].join("\n");
  const step = (title: string, text: string, entry: PathOf, path: string, body?: Body): Step => ({
    title,
    text,
    curl: curl(entry, path, body),
    fetch: fetchCode(entry, path, body),
  });
  const told = (title: string, text: string, curl: string): Step => ({
    title,
    text,
    curl,
    fetch: "",
  });

  return [
    told(
      "Look at a zone",
      "This needs no account and no key. The stream sends two events and ends: who serves the zone, and how long a new record takes to appear.",
      `curl -sN ${baseUrl}${fillPath(readZoneStream, "acme.com")}`,
    ),
    told(
      "Make a key",
      `Sign in, and create a key under Account, API keys (\`${baseUrl}/account/keys\`) that may read and change domains. It is shown once.`,
      "export DEED_KEY=deed_key_…",
    ),
    step(
      "Ask for a record",
      "The answer has the `record` to add, and the `claim` with its `verificationId`. The record is valid for seven days. The same call again changes nothing. `record.panel` is null until the first check has found the zone; then it says what to type, and where.",
      proveDomain,
      fillPath(proveDomain, "acme.com"),
      {},
    ),
    told(
      "Add the record",
      `In the DNS panel of the domain, add a TXT record with host \`${challengeLabel}\` and the token as its value. Below the apex of a zone the host is longer: for \`shop.acme.com\`, in the panel of \`acme.com\`, it is \`${challengeLabel}.shop\`. That is \`panel.host\` of the record. The service now checks automatically. This shows what it will see:`,
      `dig +short TXT ${challengeLabel}.acme.com`,
    ),
    step(
      "Check now",
      "Or wait for the next automatic check. The answer is the proof (`status: proved`), or the named reason the record is missing (`diagnosis`), or how long DNS still takes (`waitEstimate`).",
      run,
      fillPath(run, "ver_…"),
    ),
    step(
      "Ask whether it is proved",
      "It is, if `domain.lastProvedAt` is not null. This makes nothing: without a domain or a claim it is 404.",
      showByName,
      fillPath(showByName, "acme.com"),
    ),
    step(
      "Share the proof",
      "The answer's `url` is a page that anyone can open without an account. Asking again gives the same link.",
      createProofLink,
      fillPath(createProofLink, "clm_…"),
    ),
  ];
}
