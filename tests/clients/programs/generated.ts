/** The main job with openapi-generator's client in TypeScript (typescript-fetch), next to this file. */
import { setTimeout } from "node:timers/promises";
import { Configuration, DomainsApi } from "./deed";

async function main([, , name = ""]: string[]) {
  const basePath = process.env.DEED_URL ?? "";
  const domains = new DomainsApi(
    new Configuration({ basePath, accessToken: process.env.DEED_KEY }),
  );
  const reference = "customer-1";
  const { record } = await domains.proveDomain({ name, proveDomainRequest: { reference } });
  if (record) console.log("Add:", record.name, record.type, record.value);
  for (let told = ""; ; await setTimeout(1_000)) {
    const { domain, diagnosis } = await domains.findDomain({ name, reference });
    if (domain.lastProvedAt) return console.log("Proved at", domain.lastProvedAt.toISOString());
    if (!diagnosis || diagnosis.cause === told) continue;
    told = diagnosis.cause;
    console.log(told, diagnosis.fix);
  }
}

void main(process.argv);
