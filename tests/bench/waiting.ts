import { startPlayground } from "@deed/playground/playground.ts";
import { siteRecords } from "@deed/playground/samples.ts";
import { type Client, openClaim, roomy } from "../support/deed.ts";
import { newFolder, startService } from "../support/service.ts";
import type { Stops } from "./benchmark.ts";

export const NAMESERVERS = ["ns1.hosting.example", "ns2.hosting.example"] as const;
const SAY_EVERY_MS = 60_000;

/** The product with its DNS, with room for any number of claims at two nameservers. */
export async function startWaited(command: string, stops: Stops) {
  const playground = await startPlayground();
  stops.add(playground.stop);
  const own = {
    ...playground.env,
    ...roomy("API", "DNS_ADDRESS", "MAIL_IP"),
    LIMIT_OPEN_CLAIMS: "1000",
  };
  const service = await startService({ command, dataDir: newFolder(), env: own });
  stops.add(() => service.stop());
  return { playground, service };
}

type Waited = Awaited<ReturnType<typeof startWaited>>;

/** Opens a claim on a new zone, and signals that somebody waits, like its page, until `leave`. */
export async function openPage({ playground }: Waited, client: Client, name: string) {
  playground.addZone({ name, nameservers: [...NAMESERVERS], records: siteRecords(name) });
  const claim = await openClaim(client, name);
  // An earlier version does not know this call, but reads as often in the first ten minutes.
  const say = () => void client.post(`/api/claims/${claim.id}/waiting`);
  say();
  const timer = setInterval(say, SAY_EVERY_MS);
  return { claim, leave: () => clearInterval(timer) };
}
