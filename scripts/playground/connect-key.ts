import type { ConnectSigner } from "#app/services/connect/signer.ts";
import type { Playground } from "./playground.ts";
import { txt } from "./records.ts";
import { hostsOf } from "./samples.ts";

/** Publishes a service's Domain Connect key in a new zone of the playground, such as localhost. */
export function publishKey(
  playground: Playground,
  domain: string,
  { keyLabel, keyRecords }: ConnectSigner,
): void {
  const records = keyRecords.map((text) => txt(`${keyLabel}.${domain}`, text));
  playground.addZone({ name: domain, nameservers: hostsOf("other"), records });
}
