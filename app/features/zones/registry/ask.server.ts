import { type Registration, readRegistration } from "@deed/dns/rdap/answer.ts";
import { OutboundError } from "#app/core/outbound/failures.ts";
import type { Outbound, OutboundAnswer } from "#app/core/outbound/outbound.server.ts";

/** A registry's reply. `retryAfter` is the header of an answer that asks to wait. */
export type RegistryReply =
  | { type: "registered"; registration: Registration }
  | { type: "not_registered" }
  | { type: "failed"; why: string; retryAfter?: string | undefined };

const REDIRECTS = [301, 302, 303, 307, 308];
const HEADERS = { Accept: "application/rdap+json" };

const failed = (why: string): RegistryReply => ({ type: "failed", why });

/** Returns where a redirect leads (RFC 7480 section 5.2); null if nowhere, or from https to http. */
function targetOf({ status, headers }: OutboundAnswer, from: string): string | null {
  if (!REDIRECTS.includes(status) || headers.location === undefined) return null;
  const target = URL.parse(headers.location, from);
  return target && (target.protocol === "https:" || from.startsWith("http:")) ? target.href : null;
}

const isRdap = ({ headers }: OutboundAnswer) =>
  /^application\/(rdap\+)?json\b/i.test(headers["content-type"] ?? "");

/** Asks a registry about a name (RFC 9082 section 3.1.3). Follows one redirect, whose URL is checked like the first. */
export async function askRegistry(
  outbound: Outbound,
  { base, name, userAgent }: { base: string; name: string; userAgent: string },
  signal: AbortSignal,
): Promise<RegistryReply> {
  const get = (url: string) =>
    outbound.call({ method: "GET", url, headers: { ...HEADERS, "User-Agent": userAgent } }, signal);
  try {
    const firstUrl = `${base}domain/${name}`;
    const answer = await get(firstUrl);
    const target = targetOf(answer, firstUrl);
    return judge(target === null ? answer : await get(target), name, target === null);
  } catch (error) {
    if (error instanceof OutboundError) return failed(error.reason);
    throw error;
  }
}

/** Reads an answer. Only the first server, not one that it redirects to, may say that a name is not registered. */
function judge(answer: OutboundAnswer, name: string, isFirst: boolean): RegistryReply {
  const { status, headers, body } = answer;
  if (status === 429 || status === 503)
    return { type: "failed", why: `status ${status}`, retryAfter: headers["retry-after"] };
  if (!isRdap(answer)) return failed(`status ${status}, not RDAP`);
  if (status === 404 && isFirst) return { type: "not_registered" };
  const registration = status === 200 ? readRegistration(body.toString("utf8"), name) : null;
  return registration ? { type: "registered", registration } : failed(`status ${status}, unusable`);
}
