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

/** The service under test, and the DNS it reads. */
export class Target {
  readonly own: Deed;
  readonly url: string;
  readonly #published: [zone: string, name: string][] = [];

  constructor(own: Deed) {
    this.own = own;
    this.url = own.service.url;
  }

  stranger = () => new Client(this.url);
  mails = () => this.own.service.outbox();

  /** Signs in with `email`, by default a new address. */
  signIn = (email = newEmail()): Promise<Client> => signIn(this.own.service, email);

  /** Opens a claim on a zone of the playground, publishes its record and has it read. */
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
    // Clears answers cached by another test's read of the same zone.
    this.own.playground.flushWitnesses();
  }

  /** Deletes the records of a test, for the next one to find the zones as they were. */
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

  /** A new zone on a nameserver that has no other, and how many questions that has been asked. */
  async countedZone() {
    const { playground } = this.own;
    const zone = newName();
    const host = `ns-${zone.split(".")[0]}.hosting.example`;
    await playground.addNameserver(host);
    playground.addZone({ name: zone, nameservers: [host] });
    return { zone, host, asked: () => playground.received(host) };
  }
}

/** An administrator. */
export const ADMIN = "admin@holder.example";

let made = 0;
export const newEmail = () =>
  `holder${process.pid}${Date.now().toString(36)}${made++}@acme.example`;
/** An unused name, where nothing is delegated. */
export const newName = () => `n${process.pid}${Date.now().toString(36)}${made++}.example`;

/** For files without settings of their own: no scheduled reads, and budgets that no test reaches. */
const COMMON = {
  ...roomy(),
  ADMIN,
  FIRST_READ_SECONDS: "900",
  BACK_HOSTS: "listed.example",
  WEBHOOK_ALLOW_ADDRESSES: "127.0.0.0/8",
};

/** Shared by the files of this worker; it ends with the run. */
let common: Promise<Deed>;

/** The product on a playground: with `env` a service for this file alone, else one that other files share. */
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

/** The same, and a test function with the fixtures `client`, a new account, and `stranger`. */
export function contract(env?: Record<string, string>) {
  const target = targetService(env);
  const withClients = it
    .extend("client", () => target().signIn())
    .extend("stranger", () => target().stranger());
  return { target, it: withClients };
}

/** Expects that error: its status, and an envelope of exactly its members and `extra`. `what`: the message if it differs. */
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

/** Parses the response body by its schema, which must match exactly. */
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
