import type { Playground } from "@deed/playground/playground.ts";
import { txt } from "@deed/playground/records.ts";
import type { Answer, Client } from "../support/client.ts";

export const ZONE = "acme.com";
type Json = Record<string, unknown>;

type HeldClaim = {
  id: string;
  verificationId: string;
  state: string;
  live: string[];
  revoked: string[];
};
export type HeldDomain = { id: string; name: string; archived: boolean; claims: HeldClaim[] };

const pick = <T>(from: readonly T[], random: () => number): T | undefined =>
  from[Math.floor(random() * from.length)];

/** One user working on names below one zone: one write at a time, each acknowledgement recorded. */
export class Holder {
  /** The acknowledged domains, by id. */
  readonly domains = new Map<string, HeldDomain>();
  readonly deleted: string[] = [];
  /** The domain of an unanswered write, which may or may not have been applied. */
  uncertain: string | null = null;
  acknowledged = 0;
  readonly wrong: string[] = [];
  #names = 0;

  constructor(
    private readonly client: Client,
    private readonly tag: string,
    private readonly playground: Playground,
    private readonly random: () => number,
  ) {}

  /** Makes one write. False if it was not answered. */
  async write(): Promise<boolean> {
    const domain = pick([...this.domains.values()].slice(-12), this.random);
    this.uncertain = domain?.id ?? null;
    try {
      await (!domain || this.random() < 0.25 ? this.#add() : this.#change(domain));
      this.uncertain = null;
      return true;
    } catch (error) {
      if (error instanceof TypeError) return false;
      throw error;
    }
  }

  async #send(method: string, path: string, allowed: number[], json?: unknown): Promise<Answer> {
    const answer = await this.client.request(method, path, json === undefined ? {} : { json });
    // Shutting down: the write was not applied, which counts as unanswered.
    if (answer.status === 503) throw new TypeError("unavailable");
    if (allowed.includes(answer.status)) this.acknowledged++;
    else this.wrong.push(`${method} ${path}: ${answer.status} ${answer.text.slice(0, 200)}`);
    return answer;
  }

  async #add() {
    const name = `${this.tag}-${this.#names++}.${ZONE}`;
    const { body, status } = await this.#send("POST", "/api/domains", [201], { domain: name });
    if (status !== 201) return;
    const { id } = body as { id: string };
    this.domains.set(id, { id, name, archived: false, claims: [] });
  }

  async #change(domain: HeldDomain) {
    const claim = domain.claims.at(-1);
    const dice = this.random();
    if (dice < 0.05) return this.#delete(domain);
    if (domain.archived || dice < 0.12) return this.#archive(domain);
    if (claim?.state === "pending") return dice < 0.3 ? this.#cancel(claim) : this.#run(claim);
    if (claim?.state === "proved" && dice < 0.7) return this.#link(claim);
    return this.#claim(domain);
  }

  async #claim(domain: HeldDomain) {
    const { status, body } = await this.#send("POST", "/api/claims", [201], {
      domainId: domain.id,
    });
    if (status !== 201) return;
    const claim = body as {
      id: string;
      verificationId: string;
      token: string;
      records: { name: string }[];
    };
    domain.claims.push({
      id: claim.id,
      verificationId: claim.verificationId,
      state: "pending",
      live: [],
      revoked: [],
    });
    if (this.random() < 0.7)
      this.playground.addRecord(ZONE, txt(claim.records[0]?.name ?? "", claim.token));
  }

  async #run(claim: HeldClaim) {
    const path = `/api/verifications/${claim.verificationId}/runs`;
    const { status, body } = await this.#send("POST", path, [200, 409]);
    // 409: a scheduled read may have proved it meanwhile.
    if (status === 409 || (status === 200 && (body as Json).status === "proved"))
      claim.state = "proved";
  }

  async #cancel(claim: HeldClaim) {
    const { status } = await this.#send("POST", `/api/claims/${claim.id}/cancel`, [200, 409]);
    claim.state = status === 200 ? "canceled" : "proved";
  }

  async #link(claim: HeldClaim) {
    const slug = claim.live[0];
    const path = `/api/claims/${claim.id}/proof_links`;
    if (!slug) {
      const { status, body } = await this.#send("POST", path, [201]);
      if (status === 201) claim.live = [String((body as Json).slug)];
      return;
    }
    const { status } = await this.#send("POST", `${path}/${slug}/revoke`, [200]);
    if (status !== 200) return;
    claim.live = [];
    claim.revoked.push(slug);
  }

  async #archive(domain: HeldDomain) {
    const verb = domain.archived ? "unarchive" : "archive";
    const { status } = await this.#send("POST", `/api/domains/${domain.id}/${verb}`, [200]);
    if (status !== 200) return;
    domain.archived = verb === "archive";
    if (!domain.archived) return;
    for (const claim of domain.claims) {
      if (claim.state === "pending") claim.state = "ended";
      claim.revoked.push(...claim.live);
      claim.live = [];
    }
  }

  async #delete(domain: HeldDomain) {
    const { status } = await this.#send("DELETE", `/api/domains/${domain.id}`, [204]);
    if (status !== 204) return;
    this.domains.delete(domain.id);
    this.deleted.push(domain.id);
  }
}
