// An organization's public page, with a badge for each domain that it has proved. The badge leads to the proof.
import { createServer } from "node:http";

const { DEED_URL, DEED_KEY, PORT = "3002" } = process.env;

/** An older proof says too little about today. */
const PROOF_LASTS_MS = 365 * 24 * 60 * 60 * 1000;
/** A page has many visitors, and a proof rarely changes. */
const FRESH_MS = 600_000;

/** Stands for your own database. */
const ORGANIZATIONS = new Map([
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

/** Returns all domains of a reference except archived ones, from all pages of the list. */
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

/** `holds` means that no watch has seen a problem since the proof. */
const isProved = ({ holds, lastProvedAt }) =>
  holds && Date.now() - Date.parse(lastProvedAt) < PROOF_LASTS_MS;

/** Returns the badge of a proved domain. A second call publishes no second link. */
async function badgeOf({ id, name, lastProvedAt }) {
  const { claims } = await deed("GET", `/claims?domainId=${id}`);
  // The newest claim may still be open, but the badge is about the newest proof.
  const proved = claims.find(({ state }) => state === "proved");
  const { url } = await deed("POST", `/claims/${proved.id}/proof_links`);
  return { name, url, on: lastProvedAt.slice(0, 10) };
}

const kept = new Map();

/** Returns an organization's badges, at most ten minutes old, or none if Deed does not answer. */
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

/** `name` is the ASCII form: it exposes a look-alike in another script. */
const badgeHtml = ({ name, url, on }) =>
  `<li><a href="${escaped(url)}" rel="noopener">✓ ${escaped(name)}</a>
  <small>This organization controlled the domain on ${on}.</small></li>`;

const pageHtml = ({ name }, badges) => `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>${escaped(name)}</title>
<h1>${escaped(name)}</h1>
${badges.length > 0 ? `<h2>Proved domains</h2>\n<ul>${badges.map(badgeHtml).join("")}</ul>` : ""}
</html>`;

createServer(async (request, response) => {
  const organization = ORGANIZATIONS.get(request.url.slice(1));
  if (!organization) return response.writeHead(404).end();
  response.writeHead(200, { "Content-Type": "text/html; charset=utf-8" });
  response.end(pageHtml(organization, await badgesOf(organization)));
}).listen(Number(PORT), () => console.log(`Listening on ${PORT}`));
