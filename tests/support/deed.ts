import { type Playground, startPlayground } from "@deed/playground/playground.ts";
import { type Client, signIn } from "./client.ts";
import { type Service, startService } from "./service.ts";

export type Deed = { playground: Playground; service: Service; stop(): Promise<void> };

/** The service on an embedded DNS playground. Budgets are the defaults unless set in `env`. */
export async function startDeed(env: Record<string, string> = {}): Promise<Deed> {
  const playground = await startPlayground();
  const service = await startService({ env: { ...playground.env, ...env } }).catch(
    async (error) => {
      await playground.stop();
      throw error;
    },
  );
  return {
    playground,
    service,
    stop: async () => {
      await service.stop();
      await playground.stop();
    },
  };
}

type Json = Record<string, unknown>;
export type OpenClaim = {
  id: string;
  domainId: string;
  verificationId: string;
  token: string;
  name: string;
};

export async function openClaim(client: Client, domain: string): Promise<OpenClaim> {
  const added = (await client.post("/api/domains", { domain })).body as Json;
  const answer = await client.post("/api/claims", { domainId: added.id });
  if (answer.status !== 201) throw new Error(`claim: ${answer.status} ${answer.text}`);
  const claim = answer.body as Json & { records: { name: string }[] };
  return {
    id: String(claim.id),
    domainId: String(claim.domainId),
    verificationId: String(claim.verificationId),
    token: String(claim.token),
    name: claim.records[0]?.name ?? "",
  };
}

/** Polls a path until `done`, for at most `seconds`, and returns the body of the last response. */
export async function poll(
  client: Client,
  path: string,
  done: (body: Json) => boolean,
  seconds: number,
): Promise<Json> {
  const giveUpAt = Date.now() + seconds * 1000;
  for (;;) {
    const body = (await client.get(path)).body as Json;
    if (done(body) || Date.now() > giveUpAt) return body;
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
}

export { signIn };
