import { createHmac, timingSafeEqual } from "node:crypto";
import { isIP } from "node:net";

export type ForwardHeader = { hops: number; address: string };

export const FORWARD_HEADER = "x-deed-passage";
export const MAX_HOPS = 2;
/** The most that the clocks of nodes may differ. */
const TOLERANCE_MS = 5 * 60_000;

type Target = { method: string; url: string };

/** Returns a MAC with CLUSTER_SECRET, which shows that a node of this cluster wrote the parts. */
export const macOf = (secret: string, ...parts: string[]): string =>
  createHmac("sha256", secret).update(parts.join("\n")).digest("hex");

export function hasMac(secret: string, seal: unknown, ...parts: string[]): boolean {
  const [given, expected] = [Buffer.from(String(seal)), Buffer.from(macOf(secret, ...parts))];
  return given.length === expected.length && timingSafeEqual(given, expected);
}

export function sign(
  secret: string,
  target: Target,
  { hops, address }: ForwardHeader,
  now: number,
) {
  const sealedText = `${now};${hops};${address}`;
  return `${sealedText};${macOf(secret, sealedText, target.method, target.url)}`;
}

/** Returns the header's content; null if the secret differs, the clock is off, or the format is wrong. */
export function verify(secret: string, target: Target, header: string, now: number) {
  const match = /^((\d{1,15});(\d);([0-9a-f:.]{2,45}|unknown));([0-9a-f]{64})$/.exec(header);
  const [, sealedText = "", at, hops, address = "", mac = ""] = match ?? [];
  if (!match || !hasMac(secret, mac, sealedText, target.method, target.url)) return null;
  if (Math.abs(now - Number(at)) > TOLERANCE_MS) return null;
  return { hops: Number(hops), address: isIP(address) ? address : "unknown" };
}
