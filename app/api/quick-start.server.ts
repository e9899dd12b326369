import type { App } from "#app/http/app.server.ts";
import { sendMagicLink, verifyMagicLink } from "./auth.server.ts";
import { createClaim } from "./claims.server.ts";
import { createDomain } from "./domains.server.ts";
import type { Endpoint } from "./endpoint.server.ts";
import { createProofLink } from "./proofs.server.ts";
import { run } from "./verifications.server.ts";
import { readZoneStream } from "./zones.server.ts";

export type Step = { title: string; text: string; curl: string; fetch: string };

const COOKIE_FILE = "deed.cookies";

type Body = Record<string, string>;
type PathOf = Pick<Endpoint, "method" | "path">;

/** An endpoint's path with its parameters filled in, in order. */
const fillPath = ({ path }: PathOf, ...values: string[]) =>
  values.reduce((text, value) => text.replace(/:\w+/, value), path);

/** The whole job as a series of calls, each generated from its endpoint. */
export function quickStart({ settings }: Pick<App, "settings">): Step[] {
  const { baseUrl, challengeLabel } = settings;
  const curl = (entry: PathOf, path: string, { jar, body }: { jar?: string; body?: Body } = {}) =>
    [
      `curl -s${entry.method === "GET" ? "N" : ` -X ${entry.method}`}${jar ? ` ${jar}` : ""}`,
      ...(body ? ["-H 'Content-Type: application/json'", `-d '${JSON.stringify(body)}'`] : []),
      `${baseUrl}${path}`,
    ].join(" \\\n  ");
  const fetchCode = ({ method }: PathOf, path: string, body?: Body) =>
    body
      ? `const answer = await fetch("${path}", {\n  method: "${method}",\n  headers: { "Content-Type": "application/json" },\n  body: JSON.stringify(${JSON.stringify(body)}),\n});\nconst result = await answer.json();`
      : method === "GET"
        ? `const answer = await fetch("${path}");\nconst text = await answer.text();`
        : `const answer = await fetch("${path}", { method: "${method}" });\nconst result = await answer.json();`;
  const step = (
    title: string,
    text: string,
    entry: PathOf,
    path: string,
    options: { jar?: string; body?: Body } = {},
  ): Step => ({
    title,
    text,
    curl: curl(entry, path, options),
    fetch: fetchCode(entry, path, options.body),
  });
  const cookies = { jar: `-b ${COOKIE_FILE}` };

  return [
    step(
      "Look at a zone",
      "No account is needed. The stream sends two events and ends: who serves the zone, and how long a new record takes to appear.",
      readZoneStream,
      fillPath(readZoneStream, "acme.com"),
    ),
    step(
      "Sign in",
      "A link and a six-digit code are mailed. The answer is the same whether an account has the address or not. It sets a cookie, and the code works only with that cookie: a script has to store it in a file, a browser does it automatically.",
      sendMagicLink,
      sendMagicLink.path,
      { jar: `-c ${COOKIE_FILE}`, body: { email: "you@acme.com", callbackPath: "/domains" } },
    ),
    step(
      "Send the code",
      "The answer sets the session cookie, which every later call sends.",
      verifyMagicLink,
      verifyMagicLink.path,
      {
        jar: `-b ${COOKIE_FILE} -c ${COOKIE_FILE}`,
        body: { email: "you@acme.com", code: "123456" },
      },
    ),
    step(
      "Add the domain",
      "Finds or creates: the same name gives the same domain. Keep its `id`.",
      createDomain,
      createDomain.path,
      { ...cookies, body: { domain: "acme.com" } },
    ),
    step(
      "Open a claim",
      "The answer has the record to add (`records[0]`), the token and the `verificationId`. The token is valid for seven days. `panel` is null until the first check has found the zone; then the claim says what to type, and where.",
      createClaim,
      createClaim.path,
      { ...cookies, body: { domainId: "dom_…" } },
    ),
    {
      title: "Add the record",
      text: `In the DNS panel of the domain, add a TXT record with host \`${challengeLabel}\` and the token as its value. Below the apex of a zone the host is longer: for \`shop.acme.com\`, in the panel of \`acme.com\`, it is \`${challengeLabel}.shop\`. That is \`panel.host\` of the claim. The service now checks automatically. This shows what it will see:`,
      curl: `dig +short TXT ${challengeLabel}.acme.com`,
      fetch: "",
    },
    step(
      "Check now",
      "Or wait for the next automatic check. The answer is the proof (`status: proved`), or the named reason the record is missing (`diagnosis`), or how long DNS still takes (`waitEstimate`).",
      run,
      fillPath(run, "ver_…"),
      cookies,
    ),
    step(
      "Share the proof",
      "The answer's `url` is a page that anyone can open without an account. Asking again gives the same link.",
      createProofLink,
      fillPath(createProofLink, "clm_…"),
      cookies,
    ),
  ];
}
