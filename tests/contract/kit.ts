import { txt } from "@deed/playground/records.ts";
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import * as z from "zod";
import { ERRORS, type ErrorCode, LIMIT_OF } from "#app/core/errors.server.ts";
import type { ProofLink } from "#app/features/proofs/resources.ts";
import {
  type Answer,
  Client,
  type Deed,
  type OpenClaim,
  openClaim,
  roomy,
  signIn,
  startDeed,
} from "../support/deed.ts";

/** The service under test, and its DNS. */
export class Target {
  readonly own: Deed;
  readonly url: string;
  readonly #published: [zone: string, name: string][] = [];

  constructor(own: Deed) {
    this.own = own;
    this.url = own.service.url;
  }

  stranger = () => new Client(this.url);
  program = (key: string) => new Client(this.url, key);
  mails = () => this.own.service.outbox();

  /** Signs in with `email`, by default a new address. */
  signIn = (email = newEmail()): Promise<Client> => signIn(this.own.service, email);

  /** Opens a claim on a zone of the playground, publishes its record and reads it. */
  async prove(client: Client, zone: string): Promise<OpenClaim> {
    const claim = await openClaim(client, zone);
    this.publishRecord(zone, claim.name, claim.token);
    const read = await client.post(`/api/verifications/${claim.verificationId}/runs`);
    expect(read.body).toMatchObject({ status: "proved" });
    return claim;
  }

  /** A record that resolvers see at once. */
  publishRecord(zone: string, name: string, value: string): void {
    this.#published.push([zone, name]);
    this.own.playground.addRecord(zone, txt(name, value));
    // Clears answers that another test's read of the same zone left in caches.
    this.own.playground.flushWitnesses();
  }

  /** Deletes a test's records, so that the next test finds the zones unchanged. */
  takeBack(): void {
    for (const [zone, name] of this.#published.splice(0))
      this.own.playground.deleteRecord(zone, (record) => record.name === name);
  }

  async publish(client: Client, zone: string) {
    const claim = await this.prove(client, zone);
    const links = `/api/claims/${claim.id}/proof_links`;
    const link = await client.expect<ProofLink>(201, "POST", links);
    return { claim, link, links, slug: link.slug };
  }

  zone(name = newName()): string {
    this.own.playground.addZone({ name, nameservers: ["ns1.hosting.example"] });
    return name;
  }

  /** A new zone on its own nameserver, and how many questions that server got. */
  async countedZone() {
    const { playground } = this.own;
    const zone = newName();
    const host = `ns-${zone.split(".")[0]}.hosting.example`;
    await playground.addNameserver(host);
    playground.addZone({ name: zone, nameservers: [host] });
    return { zone, asked: () => playground.received(host) };
  }
}

export const ADMIN = "admin@holder.example";

let made = 0;
export const newEmail = () =>
  `holder${process.pid}${Date.now().toString(36)}${made++}@acme.example`;
/** An unused name without a delegation. */
export const newName = () => `n${process.pid}${Date.now().toString(36)}${made++}.example`;

/** For files without their own settings: no scheduled reads, and budgets that no test uses up. */
const COMMON = {
  ...roomy(),
  ADMIN,
  FIRST_READ_SECONDS: "900",
  BACK_HOSTS: "listed.example",
  WEBHOOK_ALLOW_ADDRESSES: "127.0.0.0/8",
};

/** Shared by the files of this worker until the run ends. */
let common: Promise<Deed>;

/** The product on a playground: with `env` a service for this file only, otherwise one shared with other files. */
export function targetService(env?: Record<string, string>): () => Target {
  let target: Target | undefined;
  beforeAll(async () => {
    if (!env) common ??= startDeed(COMMON);
    target = new Target(await (env ? startDeed({ ...roomy(), ...env }) : common));
  });
  afterEach(() => target?.takeBack());
  afterAll(() => (env ? target?.own.stop() : undefined));
  return () => {
    if (!target) throw new Error("the target has not started");
    return target;
  };
}

/** The same, and a test function with the fixtures `client` (a new account) and `stranger`. */
export function contract(env?: Record<string, string>) {
  const target = targetService(env);
  const withClients = it
    .extend("client", () => target().signIn())
    .extend("stranger", () => target().stranger());
  return { target, it: withClients };
}

/** Expects this error: its status, and exactly its members and `extra`. `what`: the message if it differs. */
export function expectError(answer: Answer, code: ErrorCode, extra = {}, what?: string): void {
  expect({ status: answer.status, body: answer.body }, what).toEqual({
    status: ERRORS[code][0],
    body: {
      error: {
        code,
        message: expect.stringMatching(/\S/),
        docsUrl: expect.stringMatching(new RegExp(`^https?://.*/errors#${code}$`)),
        ...((code === "rate_limited" || LIMIT_OF[code]) && { budget: expect.any(String) }),
        ...(code === "invalid_request" && { param: expect.toBeOneOf([null, expect.any(String)]) }),
        ...extra,
      },
    },
  });
  expect(answer.headers.get("content-type")).toMatch(/^application\/json/);
}

/** Parses the response body with its schema, which must match exactly. */
export function shaped<T>(
  { status, text, body }: Answer,
  expected: number,
  schema: z.ZodType<T>,
): T {
  expect(status, text).toBe(expected);
  const { error, data } = schema.safeParse(body);
  if (error) throw new Error(`${z.prettifyError(error)}\n${text}`);
  return data;
}
