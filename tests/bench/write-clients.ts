// Writes over the API at an even pace: a child process of writes-while-draining.ts, driven over IPC.
import { Agent, request } from "node:http";

export type WriteOrder = { port: number; cookies: string[]; seconds: number; every: number };
/** `took`: milliseconds of each write, from when it was due. `unexpected`: the first answer that was not 2xx. */
export type WriteReport = { took: number[]; unexpected: string | null };

const agent = new Agent({ keepAlive: true });
let count = 0;

type Answer = { status: number; body: string };

const post = (port: number, path: string, cookie: string, json?: object) =>
  new Promise<Answer>((resolve, reject) => {
    const headers = { cookie, "content-type": "application/json" };
    const sent = request(
      { host: "127.0.0.1", port, path, method: "POST", agent, headers },
      (response) => {
        const chunks: Buffer[] = [];
        response.on("data", (chunk: Buffer) => chunks.push(chunk));
        response.once("error", reject);
        response.once("end", () =>
          resolve({ status: response.statusCode ?? 0, body: Buffer.concat(chunks).toString() }),
        );
      },
    );
    sent.once("error", reject);
    sent.end(json && JSON.stringify(json));
  });

async function carryOut({ port, cookies, seconds, every }: WriteOrder): Promise<WriteReport> {
  const report: WriteReport = { took: [], unexpected: null };
  const write = async (path: string, cookie: string, due: number, json?: object) => {
    const { status, body } = await post(port, path, cookie, json);
    report.took.push(performance.now() - due);
    if (status < 200 || status > 299) report.unexpected ??= `${path}: ${status} ${body}`;
    return JSON.parse(body) as { id: string };
  };
  /** Adds a name, claims it and cancels the claim, each when it is due. */
  const threeWrites = async (cookie: string, due: number) => {
    const until = (at: number) =>
      new Promise((resolve) => setTimeout(resolve, Math.max(0, at - performance.now())));
    await until(due);
    const domain = await write("/api/domains", cookie, due, { domain: `w${count++}.example.com` });
    await until(due + every);
    const from = Math.max(due + every, performance.now());
    const claim = await write("/api/claims", cookie, from, { domainId: domain.id });
    await until(due + 2 * every);
    const last = Math.max(due + 2 * every, performance.now());
    await write(`/api/claims/${claim.id}/cancel`, cookie, last);
  };
  const began = performance.now();
  const writers: Promise<void>[] = [];
  for (let at = 0, i = 0; at < seconds * 1_000; at += 3 * every, i++)
    writers.push(threeWrites(cookies[i % cookies.length] ?? "", began + at));
  await Promise.all(writers).catch((error: unknown) => {
    report.unexpected ??= String(error);
  });
  return report;
}

process.on("message", async (order: WriteOrder) => process.send?.(await carryOut(order)));
