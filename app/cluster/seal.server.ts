import { createHmac, timingSafeEqual } from "node:crypto";

/** What shows that a node of this cluster wrote the parts: a MAC under CLUSTER_SECRET. The first says what it is for. */
export const sealOf = (secret: string, ...parts: string[]): string =>
  createHmac("sha256", secret).update(parts.join("\n")).digest("hex");

export function isSealed(secret: string, seal: unknown, ...parts: string[]): boolean {
  const [given, own] = [Buffer.from(String(seal)), Buffer.from(sealOf(secret, ...parts))];
  return given.length === own.length && timingSafeEqual(given, own);
}
