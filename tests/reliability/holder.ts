import type { Playground } from "@deed/playground/playground.ts";
import { txt } from "@deed/playground/records.ts";
import Database from "better-sqlite3";
import type { Answer, Client } from "../support/deed.ts";

export const ZONE = "acme.com";

type Claim = { id: string; verificationId: string; state: "pending" | "proved" | "canceled" };
type Held = {
  id: string;
  isGone?: true;
  claim?: Claim;
  slug?: string | null;
  /** What acknowledged writes left in the database: the allowed values of each row. */
  facts: Map<string, (string | number | null)[]>;
};

/** One user working on names below one zone: one write at a time, each acknowledgement recorded. */
export class Holder {
  #held: Held[] = [];
  /** The domain of a write without an answer, which may or may not have been applied. */
  #uncertain: Held | null = null;
  acknowledged = 0;
  unanswered = 0;
  readonly wrong: string[] = [];
  #names = 0;

  constructor(
    private readonly client: Client,
    private readonly tag: string,
    private readonly playground: Playground,
    private readonly random: () => number,
  ) {}

  async write(): Promise<boolean> {
    const recent = this.#held.slice(-12).filter(({ isGone }) => !isGone);
    const held = recent[Math.floor(this.random() * recent.length)];
    this.#uncertain = held ?? null;
    try {
      await (!held || this.random() < 0.25 ? this.#add() : this.#change(held));
      this.#uncertain = null;
      return true;
    } catch (error) {
      if (!(error instanceof TypeError)) throw error;
      this.unanswered++;
      return false;
    }
  }

  /** Acknowledged writes that a database lacks. A write without an answer may have been applied or not. */
  lostIn(path: string): string[] {
    this.#held = this.#held.filter((one) => one !== this.#uncertain);
    this.#uncertain = null;
    const db = new Database(path, { readonly: true, timeout: 5_000 });
    const query = `select 'domain ' || id, 'there' from domains
      union all select 'claim ' || id, state from claims
      union all select 'link ' || slug, revoked_at is not null from proof_links`;
    const rows = new Map(db.prepare(query).raw().all() as [string, string | number][]);
    db.close();
    return this.#held
      .flatMap(({ facts }) => [...facts])
      .filter(([row, allowed]) => !allowed.includes(rows.get(row) ?? null))
      .map(([row, allowed]) => `${row}: ${rows.get(row)}, not ${allowed.join(" or ")}`);
  }

  async #send(method: string, path: string, allowed: number[], json?: unknown): Promise<Answer> {
    const answer = await this.client.request(method, path, { json });
    // Shutting down: the write was not applied, and counts as without an answer.
    if (answer.status === 503) throw new TypeError("unavailable");
    if (allowed.includes(answer.status)) this.acknowledged++;
    else this.wrong.push(`${method} ${path}: ${answer.status} ${answer.text.slice(0, 200)}`);
    return answer;
  }

  async #add() {
    const domain = `${this.tag}-${this.#names++}.${ZONE}`;
    const { body } = await this.#send("POST", "/api/domains", [201], { domain });
    const { id } = body as { id: string };
    this.#held.push({ id, facts: new Map([[`domain ${id}`, ["there"]]]) });
  }

  #change(held: Held): Promise<void> {
    const { claim } = held;
    const dice = this.random();
    if (dice < 0.05) return this.#delete(held);
    if (claim?.state === "pending") return this.#end(held, claim, dice < 0.3);
    if (claim?.state === "proved" && dice < 0.7) return this.#link(held, claim);
    return this.#claim(held);
  }

  async #claim(held: Held) {
    const { body } = await this.#send("POST", "/api/claims", [201], { domainId: held.id });
    const claim = body as Claim & { token: string; records: { name: string }[] };
    held.claim = { id: claim.id, verificationId: claim.verificationId, state: "pending" };
    held.slug = null;
    // A scheduled read may prove it.
    held.facts.set(`claim ${claim.id}`, ["pending", "proved"]);
    if (this.random() < 0.7)
      this.playground.addRecord(ZONE, txt(claim.records[0]?.name ?? "", claim.token));
  }

  /** 409: a scheduled read has proved it meanwhile. */
  async #end({ facts }: Held, claim: Claim, isCanceled: boolean) {
    const path = isCanceled
      ? `/api/claims/${claim.id}/cancel`
      : `/api/verifications/${claim.verificationId}/runs`;
    const { status, body } = await this.#send("POST", path, [200, 409]);
    if (isCanceled && status === 200) claim.state = "canceled";
    else if (status === 409 || (body as { status: string }).status === "proved")
      claim.state = "proved";
    if (claim.state !== "pending") facts.set(`claim ${claim.id}`, [claim.state]);
  }

  async #link(held: Held, { id }: Claim) {
    const path = `/api/claims/${id}/proof_links`;
    const live = held.slug;
    const { body } = live
      ? await this.#send("POST", `${path}/${live}/revoke`, [200])
      : await this.#send("POST", path, [201]);
    held.slug = live ? null : String((body as { slug: unknown }).slug);
    held.facts.set(`link ${live ?? held.slug}`, [live ? 1 : 0]);
  }

  async #delete(held: Held) {
    await this.#send("DELETE", `/api/domains/${held.id}`, [204]);
    held.isGone = true;
    held.facts = new Map([[`domain ${held.id}`, [null]]]);
  }
}
