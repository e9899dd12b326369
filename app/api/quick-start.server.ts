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
      "Read a zone",
      "No account is needed. Two events come, then the stream ends: who serves the zone, and how long a new record takes to be seen there.",
      readZoneStream,
      fillPath(readZoneStream, "acme.com"),
    ),
    step(
      "Sign in",
      "A link and a six-digit code are mailed. The answer is the same whether an account has the address or not. It sets a cookie, and the code works with that cookie alone: a script keeps it in a file; a browser keeps it by itself.",
      sendMagicLink,
      sendMagicLink.path,
      { jar: `-c ${COOKIE_FILE}`, body: { email: "you@acme.com", callbackPath: "/domains" } },
    ),
    step(
      "Bring the code back",
      "The answer sets the session cookie, which every later call sends.",
      verifyMagicLink,
      verifyMagicLink.path,
      {
        jar: `-b ${COOKIE_FILE} -c ${COOKIE_FILE}`,
        body: { email: "you@acme.com", code: "123456" },
      },
    ),
    step(
      "Add the name",
      "Finds or creates: the same name gives the same domain. Keep its `id`.",
      createDomain,
      createDomain.path,
      { ...cookies, body: { domain: "acme.com" } },
    ),
    step(
      "Open a claim",
      "The answer has the record to create (`records[0]`), the token and the `verificationId`. The token is good for seven days. `panel` is null until a read has told which zone holds the name; then reading the claim tells what to type, and where.",
      createClaim,
      createClaim.path,
      { ...cookies, body: { domainId: "dom_…" } },
    ),
    {
      title: "Create the record",
      text: `In the DNS panel of the domain add a TXT record: host \`${challengeLabel}\`, value the token, exactly as it is. Below the apex of a zone the host is longer: for \`shop.acme.com\`, in the panel of \`acme.com\`, it is \`${challengeLabel}.shop\`. That is \`panel.host\` of the claim. The service reads DNS by itself from now on; this shows what it will see:`,
      curl: `dig +short TXT ${challengeLabel}.acme.com`,
      fetch: "",
    },
    step(
      "Check now",
      "Or wait: it is read on its own. The answer is the proof (`status: proved`), or the named reason the record is missing (`diagnosis`), or how long DNS still takes (`waitEstimate`).",
      run,
      fillPath(run, "ver_…"),
      cookies,
    ),
    step(
      "Share the proof",
      "The answer's `url` is a page for anybody, without an account. Asking again gives the same link.",
      createProofLink,
      fillPath(createProofLink, "clm_…"),
      cookies,
    ),
  ];
}
