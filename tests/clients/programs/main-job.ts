/** The main job with @deed/client as installed from its tarball. Compiled and run next to node_modules. */
import { once } from "node:events";
import { createInterface } from "node:readline";
import { type Claim, Deed, DeedError, type Diagnosis, type Schemas } from "@deed/client";

const [url = "", key = "", domain = ""] = process.argv.slice(2);
const deed = new Deed({ url: `${url}/`, key });
const stranger = new Deed({ url });
const lines = createInterface({ input: process.stdin });

async function publish(name: string, value: string): Promise<void> {
  console.log(JSON.stringify({ publish: { name, value } }));
  await once(lines, "line");
}

function seen(diagnosis: Diagnosis): string {
  switch (diagnosis.code) {
    case "domain_appended":
      // @ts-expect-error A field of another variant.
      diagnosis.observed.target;
      return diagnosis.observed.name;
    case "record_absent":
      return diagnosis.observed.answer.type === "nodata"
        ? diagnosis.observed.answer.types.join()
        : diagnosis.observed.answer.type;
    default:
      return diagnosis.code;
  }
}

const recencyOf = (recency: Schemas["Recency"]): string =>
  recency.type === "earlier" ? recency.latestProvedAt : recency.type;

const refusal = async (call: Promise<unknown>): Promise<DeedError> => {
  const error = await call.catch((error: unknown) => error);
  if (!(error instanceof DeedError)) throw error;
  return error;
};

const check = ({ verificationId }: Claim) =>
  deed.post("/api/verifications/{id}/runs", { path: { id: verificationId } });

/** Publishes the record once its panel is known, and prints that DNS can be read. */
async function repair({ id, records: [record] }: Claim): Promise<void> {
  const claim = await deed.get("/api/claims/{id}", { path: { id } });
  panel = claim.panel;
  if (!panel || !record) throw new Error("nothing was read");
  await publish(`${panel.host}.${panel.zone}`, record.value);
  await check(claim);
}

let panel: Claim["panel"] = null;
const zone: string[] = [];
for await (const frame of deed.zone(domain))
  zone.push(frame.step === "delegation" ? frame.provider : `${frame.publishingMinutes} minutes`);

const diagnoses: Diagnosis[] = [];
let line = "";
const started = Date.now();
const outcome = await deed.prove(domain, {
  async onRecord({ name, value, zoneFileLine, claim }) {
    line = zoneFileLine.replace(value, "…");
    await publish(`${name}.${domain}`, value);
    await check(claim);
  },
  onChange({ diagnosis, claimId }) {
    if (!diagnosis) return;
    diagnoses.push(diagnosis);
    void deed.get("/api/claims/{id}", { path: { id: claimId } }).then(repair);
  },
});
const seconds = (Date.now() - started) / 1000;
if (outcome.status !== "proved") throw new Error(outcome.status);
const { claim } = outcome;
const again = await deed.prove(domain);
const other = await deed.prove(domain, { reference: "customer 7", timeout: 0 });
const watched = await deed.watch(domain, { every: "hour" });
const held = [
  await deed.holds(domain),
  await deed.holds(domain, { reference: "customer 7" }),
  await deed.holds("nobody.acme.com"),
];
const link = await deed.post("/api/claims/{id}/proof_links", { path: { id: claim.id } });
const proof = await stranger.get("/api/proofs/{slug}", { path: { slug: link.slug } });
const missing = await refusal(
  stranger.get("/api/proofs/{slug}", { path: { slug: "nothing/here" } }),
);
const [listed] = (await deed.get("/api/domains", { query: { name: domain, status: "proved" } }))
  .domains;
const open = await deed.post("/api/claims", { body: { domainId: claim.domainId } });
const taken = await refusal(deed.post("/api/claims", { body: { domainId: claim.domainId } }));
await deed.delete("/api/domains/{id}", { path: { id: claim.domainId } });
// @ts-expect-error A path that is not in the API.
const typo = await refusal(deed.get("/api/domain"));
// @ts-expect-error What only a session may call is left out.
const forbidden = await refusal(deed.get("/api/keys"));

console.log(
  JSON.stringify({
    zone,
    line,
    observed: diagnoses.map(seen),
    awaits: diagnoses[0]?.awaits,
    panel,
    status: outcome.status,
    isByEvent: seconds < 30,
    again: again.status === "proved" && again.provedAt === outcome.provedAt,
    other: [other.status, other.claim.reference, other.claim.token !== claim.token],
    listed: listed?.claimId === claim.id,
    taken: [taken.code, taken.status, taken.claim?.id === open.id, Boolean(taken.requestId)],
    watched: [watched.holds, watched.watch?.every],
    held,
    proof: { domain: proof.domain, nameservers: proof.nameservers },
    recency: recencyOf(proof.recency),
    missing: missing.code,
    refused: [typo.code, forbidden.code],
  }),
);
lines.close();
