import { Agent, request } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { txt } from "@deed/playground/records.ts";
import { memoryOf } from "../reliability/metrics.ts";
import { roomy } from "../support/budgets.ts";
import { type Deed, openClaim, signIn, startDeed } from "../support/deed.ts";
import type { Benchmark } from "./benchmark.ts";

const A_SECOND = 25;
/** How long; the figure of docs/performance.md is of 1,200. */
const SECONDS = Number(process.env.MEMORY_SECONDS ?? 120);
const MOST_OPEN = 60;
const BUDGETS = roomy(
  ...["ZONES", "PROOFS", "RUNS_VERIFICATION", "RUNS_ACCOUNT", "MAIL_ADDRESS", "MAILBOX"],
  ...["MAIL_IP", "VERIFY", "API", "DNS_ADDRESS"],
);

/** One request of the mix. Resolves once it was answered or failed. */
type Ask = (path: string, post?: object) => Promise<void>;

/** The pages and calls of a signed-in holder with a published proof and an open claim, and those of strangers. */
async function prepare({ playground, service }: Deed) {
  const holder = await signIn(service, "ada@acme.example");
  const proved = await openClaim(holder, "acme.com");
  playground.addRecord("acme.com", txt(proved.name, proved.token));
  await holder.post(`/api/verifications/${proved.verificationId}/runs`);
  const link = (await holder.post(`/api/claims/${proved.id}/proof_links`)).body as { slug: string };
  const open = await openClaim(holder, "initech.com");
  const home = await holder.get("/");
  const proof = [`/p/${link.slug}`, `/api/proofs/${link.slug}`];
  return {
    cookie: holder.cookie,
    run: `/api/verifications/${open.verificationId}/runs`,
    reads: [
      ...["/", "/sign-in", "/docs", "/docs/api", "/docs/diagnoses", "/verify", "/nowhere"],
      ...["/domains", "/account", "/account/keys", "/notices", "/api/domains", "/api/account"],
      ...[`/domains/${proved.domainId}`, `/claims/${proved.id}`, `/claims/${open.id}`],
      ...[...proof, ...proof, "/api/health", "/api/openapi.json"],
      ...[...home.text.matchAll(/\/build\/[\w/.-]+/g)].map(([path]) => path),
    ],
  };
}

/** Sends the mix for SECONDS, whether or not it is answered in time. Returns how many requests were sent. */
async function load(deed: Deed): Promise<number> {
  const { cookie, run, reads } = await prepare(deed);
  const { url } = deed.service;
  const agent = new Agent({ keepAlive: true });
  const headers = { cookie, origin: url, "accept-encoding": "gzip, deflate, br" };
  const ask: Ask = (path, post) =>
    new Promise((resolve) => {
      const body = post && JSON.stringify(post);
      const type = body ? { "content-type": "application/json" } : {};
      request(
        url + path,
        { agent, method: post ? "POST" : "GET", headers: { ...headers, ...type } },
        (response) => response.resume().once("close", resolve),
      )
        .once("error", () => resolve())
        .end(body);
    });
  const one = (n: number) => {
    if (n % 50 === 7) return ask("/api/auth/magic-link", { email: `p${n % 9_000}@acme.example` });
    if (n % 25 === 11) return ask(run, {});
    if (n % 100 === 21) return ask("/api/domains", { domain: `n${n}.example` });
    if (n % 10 === 3) return ask(`${n % 20 === 3 ? "/api" : ""}/zones/z${n}.com`);
    return ask(reads[(n * 7) % reads.length] ?? "/");
  };
  const from = performance.now();
  let sent = 0;
  let unanswered = 0;
  while (performance.now() - from < 1_000 * SECONDS) {
    const due = ((performance.now() - from) / 1_000) * A_SECOND;
    for (; sent < due && unanswered < MOST_OPEN; sent++) {
      unanswered++;
      void one(sent).finally(() => unanswered--);
    }
    await sleep(10);
  }
  agent.destroy();
  return sent;
}

export const memory: Benchmark = {
  name: "memory",
  number: 17,
  work: `memory after ${SECONDS} s of a mix of pages, API calls, proofs, zones and sign-ins, ${A_SECOND} a second`,
  floor: "none",
  needs: [],
  async run() {
    const deed = await startDeed(BUDGETS);
    try {
      const { pid } = deed.service.child;
      const before = memoryOf(pid);
      const sent = await load(deed);
      const value = memoryOf(pid);
      return {
        rows: [
          {
            goal: { what: "memory after a mix of requests", at: "most", value: 220, unit: "MB" },
            value,
            note: `${before.toFixed(0)} MB before ${sent} requests`,
          },
        ],
        commands: ["npm start, with open budgets, on the playground's DNS"],
        rejected: 0,
      };
    } finally {
      await deed.stop();
    }
  },
};
