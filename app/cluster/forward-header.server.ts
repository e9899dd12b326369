import { createHmac, timingSafeEqual } from "node:crypto";
import { isIP } from "node:net";

/** What one node sends another with a request it forwards. */
export type ForwardHeader = {
  hops: number;
  /** The client's address as seen by the first node. */
  address: string;
};

export const FORWARD_HEADER = "x-deed-passage";
export const MOST_HOPS = 2;
/** Maximum clock skew between nodes. */
const TOLERANCE_MS = 5 * 60_000;

type Line = { method: string; url: string };

const macOf = (secret: string, { method, url }: Line, facts: string) =>
  createHmac("sha256", secret).update(`${facts}\n${method}\n${url}`).digest();

/** The header's value: the facts and the time, with a MAC that binds them to this request line. */
export function sign(
  secret: string,
  line: Line,
  { hops, address }: ForwardHeader,
  now: number,
): string {
  const facts = `${now};${hops};${address}`;
  return `${facts};${macOf(secret, line, facts).toString("hex")}`;
}

/** The verified content of the header; null if the secret differs, the time is off or the form is wrong. */
export function verify(
  secret: string,
  line: Line,
  header: string,
  now: number,
): ForwardHeader | null {
  const match = /^((\d{1,15});(\d);([0-9a-f:.]{2,45}|unknown));([0-9a-f]{64})$/.exec(header);
  const [, facts = "", at, hops, address = "", mac = ""] = match ?? [];
  if (!match || !timingSafeEqual(Buffer.from(mac, "hex"), macOf(secret, line, facts))) return null;
  if (Math.abs(now - Number(at)) > TOLERANCE_MS) return null;
  return { hops: Number(hops), address: isIP(address) ? address : "unknown" };
}
