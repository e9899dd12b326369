/** The main job with the types that openapi-typescript generates. Compiled and run next to them; they are schema.ts. */
import { once } from "node:events";
import { createInterface } from "node:readline";
import createClient from "openapi-fetch";
import type { components, paths } from "./schema.ts";

type Schemas = components["schemas"];

const [baseUrl = "", cookie = "", domain = ""] = process.argv.slice(2);
const holder = createClient<paths>({ baseUrl, headers: { cookie } });
const stranger = createClient<paths>({ baseUrl });
const lines = createInterface({ input: process.stdin });

/** Asks the parent process to publish the token at `name`. */
async function publish(name: string, value: string): Promise<void> {
  console.log(JSON.stringify({ publish: { name, value } }));
  await once(lines, "line");
}

function got<T>({ data, error }: { data?: T; error?: { error: { code: string } } }): T {
  if (data === undefined) throw new Error(`refused: ${error?.error.code}`);
  return data;
}

function seen(diagnosis: Schemas["Diagnosis"]): string {
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

/** The data of each event; `step` tells the variants apart. */
const framesIn = (stream: string): string[] =>
  [...stream.matchAll(/^data: (.*)$/gm)].map(([, data = ""]) => {
    const frame: Schemas["ZoneFrame"] = JSON.parse(data);
    return frame.step === "delegation" ? frame.provider : `${frame.publishingMinutes} minutes`;
  });

const zone = got(
  await stranger.GET("/api/zones/{name}", { params: { path: { name: domain } }, parseAs: "text" }),
);
const { id: domainId } = got(await holder.POST("/api/domains", { body: { domain } }));
const claim = got(await holder.POST("/api/claims", { body: { domainId } }));
const [record] = claim.records;
if (!record) throw new Error("a claim without a record");
const again = await holder.POST("/api/claims", { body: { domainId } });
const params = { path: { id: claim.verificationId } };
const run = async () => got(await holder.POST("/api/verifications/{id}/runs", { params }));

await publish(`${record.name}.${domain}`, record.value);
const { diagnosis } = await run();
const { panel } = got(await holder.GET("/api/claims/{id}", { params: { path: { id: claim.id } } }));
if (!panel || !diagnosis) throw new Error("nothing was read");
await publish(`${panel.host}.${panel.zone}`, record.value);
await run();
const { status } = got(await holder.GET("/api/verifications/{id}", { params }));
const link = got(
  await holder.POST("/api/claims/{id}/proof_links", { params: { path: { id: claim.id } } }),
);
const proof = got(
  await stranger.GET("/api/proofs/{slug}", { params: { path: { slug: link.slug } } }),
);
const missing = await stranger.GET("/api/proofs/{slug}", { params: { path: { slug: "nothing" } } });
console.log(
  JSON.stringify({
    zone: framesIn(zone),
    held: again.error?.error.code,
    observed: seen(diagnosis),
    awaits: diagnosis.awaits,
    panel,
    status,
    proof: { domain: proof.domain, nameservers: proof.nameservers },
    recency: recencyOf(proof.recency),
    missing: missing.error?.error.code,
  }),
);
lines.close();
