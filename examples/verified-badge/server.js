// An organisation's public page, with a badge for each domain that it has proved. The badge leads to the proof.
import { createServer } from "node:http";

const { DEED_URL, DEED_KEY, PORT = "3002" } = process.env;

/** A badge older than this says too little about today. */
const PROOF_LASTS_MS = 365 * 24 * 60 * 60 * 1000;
/** Visitors are many, and a proof changes rarely. */
const FRESH_MS = 60_000;

/** Stands for your own database. */
const ORGANISATIONS = new Map([
  ["hooli", { id: "org-1", name: "Hooli" }],
  ["initech", { id: "org-2", name: "Initech <Labs>" }],
]);

async function deed(method, path) {
  const answer = await fetch(`${DEED_URL}/api${path}`, {
    method,
    headers: { Authorization: `Bearer ${DEED_KEY}` },
    signal: AbortSignal.timeout(5_000),
  });
  const result = await answer.json();
  if (!answer.ok) throw new Error(`${result.error.code}: ${result.error.message}`);
  return result;
}

/** Every domain of a reference, page by page. Archived domains are not listed. */
async function domainsOf(reference) {
  const domains = [];
  let cursor = null;
  do {
    const query = new URLSearchParams({ reference, limit: "100", ...(cursor && { cursor }) });
    const page = await deed("GET", `/domains?${query}`);
    domains.push(...page.domains);
    cursor = page.nextCursor;
  } while (cursor);
  return domains;
}

/** `holds`: nothing that a watch saw speaks against it. */
const isProved = ({ holds, lastProvedAt }) =>
  holds && Date.now() - Date.parse(lastProvedAt) < PROOF_LASTS_MS;

/** The badge of a proved domain. Publishing the link a second time answers the same link. */
async function badgeOf({ id, name, lastProvedAt }) {
  const { claims } = await deed("GET", `/claims?domainId=${id}`);
  // The newest claim can be one that is still open: the badge is about the newest proof.
  const proved = claims.find(({ state }) => state === "proved");
  const { url } = await deed("POST", `/claims/${proved.id}/proof_links`);
  return { name, url, on: lastProvedAt.slice(0, 10) };
}

const kept = new Map();

/** The badges of an organisation, at most a minute old. Without an answer from Deed there are none. */
async function badgesOf({ id }) {
  const known = kept.get(id);
  if (known && Date.now() - known.at < FRESH_MS) return known.badges;
  try {
    const badges = await Promise.all((await domainsOf(id)).filter(isProved).map(badgeOf));
    kept.set(id, { at: Date.now(), badges });
    return badges;
  } catch (error) {
    console.error(error);
    return [];
  }
}

const escaped = (text) => text.replace(/[&<>"']/g, (one) => `&#${one.charCodeAt(0)};`);

/** `name` is the ASCII form: a look-alike of a known name in another script looks like what it is. */
const badgeHtml = ({ name, url, on }) =>
  `<li><a href="${escaped(url)}" rel="noopener">✓ ${escaped(name)}</a>
  <small>This organisation controlled the domain on ${on}.</small></li>`;

const pageHtml = ({ name }, badges) => `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>${escaped(name)}</title>
<h1>${escaped(name)}</h1>
${badges.length > 0 ? `<h2>Verified domains</h2>\n<ul>${badges.map(badgeHtml).join("")}</ul>` : ""}
</html>`;

createServer(async (request, response) => {
  const organisation = ORGANISATIONS.get(request.url.slice(1));
  if (!organisation) return response.writeHead(404).end();
  response.writeHead(200, { "Content-Type": "text/html; charset=utf-8" });
  response.end(pageHtml(organisation, await badgesOf(organisation)));
}).listen(Number(PORT), () => console.log(`Listening on ${PORT}`));
