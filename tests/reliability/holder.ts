import type { Playground } from "@deed/playground/playground.ts";
import { txt } from "@deed/playground/records.ts";
import Database from "better-sqlite3";
import type { Claim } from "#app/features/claims/resources.ts";
import type { ProofLink } from "#app/features/proofs/resources.ts";
import type { Chance } from "../fuzz/chance.ts";
import type { Client } from "../support/deed.ts";

export const ZONE = "acme.com";

type Value = string | number | null;

/** One user working on names below one zone: one write at a time, each acknowledgement recorded. */
export class Holder {
  acknowledged = 0;
  unanswered = 0;
  readonly wrong: string[] = [];
  /** What acknowledged writes left in the database, by row; nothing of a row while a write to it is under way. */
  readonly #facts = new Map<string, Value>();
  #names = 0;

  constructor(
    private readonly client: Client,
    private readonly tag: string,
    private readonly playground: Playground,
    private readonly chance: Chance,
  ) {}

  /** Takes names through their lives until the service does not answer. */
  async work(): Promise<void> {
    try {
      for (;;) await this.#life();
    } catch (error) {
      if (!(error instanceof TypeError)) throw error;
      this.unanswered++;
    }
  }

  /** Acknowledged writes that a database lacks. */
  lostIn(path: string): string[] {
    const db = new Database(path, { readonly: true, timeout: 5_000 });
    const query = `select 'domain ' || id, 'there' from domains
      union all select 'claim ' || id, state from claims
      union all select 'link ' || slug, revoked_at is not null from proof_links`;
    const rows = new Map(db.prepare(query).raw().all() as [string, Value][]);
    db.close();
    return [...this.#facts]
      .filter(([row, value]) => (rows.get(row) ?? null) !== value)
      .map(([row, value]) => `${row}: ${rows.get(row)}, not ${value}`);
  }

  /** Sends a write that may change these rows. 409: a scheduled read has proved the claim meanwhile. */
  async #send<Body>(rows: string[], method: string, path: string, json?: object): Promise<Body> {
    for (const row of rows) this.#facts.delete(row);
    const { status, body, text } = await this.client.request(method, path, { json });
    // Shutting down: the write was not applied, and counts as without an answer.
    if (status === 503) throw new TypeError("unavailable");
    if (status < 300 || (status === 409 && path.endsWith("/runs"))) this.acknowledged++;
    else this.wrong.push(`${method} ${path}: ${status} ${text.slice(0, 200)}`);
    return body as Body;
  }

  async #life(): Promise<void> {
    const facts = this.#facts;
    const post = <Body = Claim>(rows: string[], path: string, json?: object) =>
      this.#send<Body>(rows, "POST", path, json);
    const domain = `${this.tag}-${this.#names++}.${ZONE}`;
    const { id: domainId } = await post([], "/api/domains", { domain });
    const held = `domain ${domainId}`;
    facts.set(held, "there");
    const { id, token, records, verificationId } = await post([], "/api/claims", { domainId });
    const [claim, own] = [`claim ${id}`, `/api/claims/${id}`];
    facts.set(claim, "pending");
    const rows = [held, claim];
    if (this.chance.holds(0.3)) {
      await post([claim], `${own}/cancel`);
      facts.set(claim, "canceled");
    } else {
      facts.delete(claim);
      this.playground.addRecord(ZONE, txt(records[0]?.name ?? "", token));
      const run = `/api/verifications/${verificationId}/runs`;
      const { status = "proved" } = await post<{ status?: string }>([], run);
      // A busy machine may not have read DNS.
      if (status !== "proved") return;
      facts.set(claim, "proved");
      const { slug } = await post<ProofLink>([], `${own}/proof_links`);
      facts.set(`link ${slug}`, 0);
      rows.push(`link ${slug}`);
      if (this.chance.holds(0.5)) {
        await post([`link ${slug}`], `${own}/proof_links/${slug}/revoke`);
        facts.set(`link ${slug}`, 1);
      }
    }
    if (this.chance.holds(0.8)) return;
    await this.#send(rows, "DELETE", `/api/domains/${domainId}`);
    for (const row of rows) facts.set(row, null);
  }
}
