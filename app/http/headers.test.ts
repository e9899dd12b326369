import { describe, expect, it } from "vitest";
import { newNonce } from "./headers.server.ts";

describe("newNonce", () => {
  it("gives 128 bits, no two alike, however many are asked for", () => {
    const nonces = Array.from({ length: 2_000 }, newNonce);
    expect(new Set(nonces).size).toBe(nonces.length);
    for (const nonce of nonces) expect(Buffer.from(nonce, "base64")).toHaveLength(16);
  });
});
