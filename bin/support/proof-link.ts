import type { Statement } from "@deed/receipt/statement.ts";
import { messageOf, UsageError } from "./output.ts";

const ANSWER_WITHIN_MS = 10_000;
const MAX_ANSWER = 64 * 1024;

/** What the installation says of a proof link. */
export type LinkAnswer =
  | { type: "shared" | "not_shared" | "another_proof" | "another_installation" }
  | { type: "unreachable"; reason: string };

/** Throws UsageError for what is no proof link, and for one that would be asked in the clear over a network. */
export function proofLinkOf(text: string) {
  const link = URL.canParse(text) ? new URL(text) : null;
  const [, slug] = /^\/p\/([\w-]{16,64})\/?$/.exec(link?.pathname ?? "") ?? [];
  const isLoopback = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(link?.hostname ?? "");
  const isSafe = link?.protocol === "https:" || (link?.protocol === "http:" && isLoopback);
  if (link && slug && isSafe) return { origin: link.origin, slug };
  throw new UsageError("--online needs a proof link, such as https://deed.example.org/p/…");
}

/**
 * Asks the installation that a link names, if the statement names it too: the receipt is a stranger's, the link is the
 * user's. Follows no redirect, reads 64 KB and waits ten seconds at most.
 */
export async function askProofLink(
  link: ReturnType<typeof proofLinkOf>,
  statement: Statement,
): Promise<LinkAnswer> {
  if (link.origin !== statement.iss) return { type: "another_installation" };
  try {
    const url = `${link.origin}/api/proofs/${link.slug}`;
    const signal = AbortSignal.timeout(ANSWER_WITHIN_MS);
    const answer = await fetch(url, { signal, redirect: "error" });
    if (answer.status === 404 || answer.status === 410) return { type: "not_shared" };
    if (answer.status !== 200) throw new Error(`it answered ${answer.status}`);
    const { domain, token, provedAt } = JSON.parse(await bodyOf(answer)) as Record<string, unknown>;
    const isSame =
      domain === statement.sub && token === statement.token && provedAt === statement.provedAt;
    return { type: isSame ? "shared" : "another_proof" };
  } catch (error) {
    const { cause } = error as { cause?: unknown };
    return { type: "unreachable", reason: messageOf(cause ?? error) };
  }
}

async function bodyOf(answer: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of answer.body as unknown as AsyncIterable<Uint8Array>) {
    chunks.push(chunk);
    size += chunk.length;
    if (size > MAX_ANSWER) throw new Error("its answer is too long");
  }
  return Buffer.concat(chunks).toString("utf8");
}
