// A feature that a customer may use only for domains it controls: here, sending email in the domain's name.
import express from "express";

const { DEED_URL, DEED_KEY, PORT = "3001" } = process.env;

/** Calls Deed. Throws its error: `code` is stable and for programs, `message` is for people. */
async function deed(method, path, body) {
  const answer = await fetch(`${DEED_URL}/api${path}`, {
    method,
    headers: { Authorization: `Bearer ${DEED_KEY}`, "Content-Type": "application/json" },
    body: body && JSON.stringify(body),
    signal: AbortSignal.timeout(10_000),
  });
  const result = await answer.json();
  if (answer.ok) return result;
  throw Object.assign(new Error(result.error.message), result.error, { status: answer.status });
}

const pathTo = (name) => `/domains/by-name/${encodeURIComponent(name)}`;
const NOT_THERE = ["domain_not_found", "claim_not_found", "domain_archived"];

/** Returns the customer's domain and claim, or null. Other customers have the same name under their own `reference`. */
async function find(customer, name) {
  const query = new URLSearchParams({ reference: customer });
  try {
    return await deed("GET", `${pathTo(name)}?${query}`);
  } catch (error) {
    if (NOT_THERE.includes(error.code)) return null;
    throw error;
  }
}

/**
 * Finds or creates the customer's domain and its open claim. `again` is the id of a proof or an ended claim.
 * Domains change hands, so Deed watches the record after the proof, and the customer must keep it.
 */
async function prove(customer, name, again) {
  const asked = { reference: customer, watch: true, again };
  const { domain, claim } = await deed("PUT", pathTo(name), asked);
  return claim.state === "pending" ? { domain, claim } : prove(customer, name, claim.id);
}

/** Lets a request pass if the customer's domain holds, even while the customer proves it again. */
async function requireProof(request, response, next) {
  const found = await find(request.customer, request.params.domain);
  if (!found?.holds) {
    response.status(403).json({ error: "Prove that you control this domain first." });
    return;
  }
  // The proved name can differ from what the customer typed.
  request.domain = found.domain.name;
  next();
}

const app = express().use(express.json());

/** Stands for your own sign-in. Never take the customer from the path or the body. */
const CUSTOMERS = new Map([
  ["key-of-ada", "customer-1"],
  ["key-of-ben", "customer-2"],
]);
app.use((request, response, next) => {
  request.customer = CUSTOMERS.get(request.get("X-Customer-Key"));
  if (request.customer) next();
  else response.status(401).json({ error: "Who are you?" });
});

/** Adds a domain, or proves it again. Returns the record that the customer must add to its DNS. */
app.post("/domains", async (request, response) => {
  const { domain: typed } = request.body;
  if (!typed) return response.status(400).json({ error: "Which domain?" });
  const { domain, claim } = await prove(request.customer, typed);
  const { records, expiresAt } = claim;
  response.status(201).json({ domain: domain.name, records, expiresAt });
});

/** Says what the customer must do next, in words for people. */
app.get("/domains/:domain", async (request, response) => {
  const found = await find(request.customer, request.params.domain);
  if (!found) return response.status(404).json({ error: "No such domain." });
  const { domain, holds, diagnosis } = found;
  response.json({
    domain: domain.name,
    proved: holds,
    problem: diagnosis && { cause: diagnosis.cause, fix: diagnosis.fix },
  });
});

app.post("/domains/:domain/mails", requireProof, (request, response) => {
  response.status(202).json({ from: `hello@${request.domain}` });
});

/** The customer can correct the name. After any other error, the feature stays closed. */
app.use((error, _request, response, _next) => {
  console.error(error);
  if (error.code === "invalid_domain") response.status(400).json({ error: error.message });
  else response.status(503).json({ error: "Domains cannot be looked up now. Try again later." });
});

app.listen(Number(PORT), () => console.log(`Listening on ${PORT}`));
