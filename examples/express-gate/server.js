// A feature that a customer may use only for domains it controls: here, sending mail in their name.
import express from "express";

const { DEED_URL, DEED_KEY, PORT = "3001" } = process.env;

/** A domain changes hands: after this long without a new proof, the feature closes. */
const PROOF_LASTS_MS = 180 * 24 * 60 * 60 * 1000;

/** Calls Deed. Rejects with what it answered: `code` is for programs and stable, `message` is for people. */
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

/** The customer's domain, or undefined. `reference` keeps it apart from the same name of other customers. */
async function domainOf(customer, name) {
  const query = new URLSearchParams({ reference: customer, name });
  const { domains } = await deed("GET", `/domains?${query}`);
  return domains.find(({ archived }) => !archived);
}

/** The domain's open claim, which is opened if there is none. */
async function claimOf(domain) {
  try {
    return await deed("POST", "/claims", { domainId: domain.id });
  } catch (error) {
    if (error.code === "already_claimed") return error.claim;
    throw error;
  }
}

/** Looks at the proof, not at the status: a customer who proves the domain again stays in meanwhile. */
const isProved = ({ lastProvedAt }) =>
  lastProvedAt !== null && Date.now() - Date.parse(lastProvedAt) < PROOF_LASTS_MS;

/** Lets a request pass if its customer has proved the domain in its path. */
async function requireProof(request, response, next) {
  const domain = await domainOf(request.customer, request.params.domain);
  if (!domain || !isProved(domain)) {
    response.status(403).json({ error: "Prove that you control this domain first." });
    return;
  }
  // The name that was proved, which is not always letter for letter what was typed.
  request.domain = domain.name;
  next();
}

const app = express().use(express.json());

/** Stands for your own sign-in. Whose request it is never comes from its path or body. */
const CUSTOMERS = new Map([
  ["key-of-ada", "customer-1"],
  ["key-of-ben", "customer-2"],
]);
app.use((request, response, next) => {
  request.customer = CUSTOMERS.get(request.get("X-Customer-Key"));
  if (request.customer) next();
  else response.status(401).json({ error: "Who are you?" });
});

/** Adds a domain, or proves it again. Answers the record that the customer must add to its DNS. */
app.post("/domains", async (request, response) => {
  const { domain: typed } = request.body;
  const domain = await deed("POST", "/domains", { domain: typed, reference: request.customer });
  const { records, expiresAt } = await claimOf(domain);
  response.status(201).json({ domain: domain.name, records, expiresAt });
});

/** What the customer must do next, in words made for people. */
app.get("/domains/:domain", async (request, response) => {
  const domain = await domainOf(request.customer, request.params.domain);
  if (!domain) return response.status(404).json({ error: "No such domain." });
  const { diagnosis } = domain.verificationId
    ? await deed("GET", `/verifications/${domain.verificationId}`)
    : { diagnosis: null };
  response.json({
    domain: domain.name,
    proved: isProved(domain),
    problem: diagnosis && { cause: diagnosis.cause, fix: diagnosis.fix },
  });
});

app.post("/domains/:domain/mails", requireProof, (request, response) => {
  response.status(202).json({ from: `hello@${request.domain}` });
});

/** A mistake in the name is the customer's to mend. Everything else is ours, and the feature stays closed. */
app.use((error, _request, response, _next) => {
  console.error(error);
  if (error.code === "invalid_domain") response.status(400).json({ error: error.message });
  else response.status(503).json({ error: "Domains cannot be looked up now. Try again later." });
});

app.listen(Number(PORT), () => console.log(`Listening on ${PORT}`));
