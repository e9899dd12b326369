import { describe, expect, it } from "vitest";
import { parseEnvironment } from "./env.server.ts";

describe("a node among several", () => {
  const whole = {
    LITEFS_URL: "http://10.0.0.1:20202",
    CLUSTER_SECRET: "c".repeat(32),
    SESSION_SECRET: "s".repeat(32),
    BASE_URL: "https://deed.example.org",
    DATABASE_PATH: "/mnt/deed/deed.db",
  };

  it("is none unless LITEFS_URL says so", () => {
    expect(parseEnvironment({}).cluster).toBeNull();
    expect(parseEnvironment({ ...whole, LITEFS_URL: "" }).cluster).toBeNull();
  });

  it("knows its LiteFS and the secret of the cluster", () => {
    expect(parseEnvironment(whole).cluster).toEqual({
      litefsUrl: "http://10.0.0.1:20202",
      secret: "c".repeat(32),
    });
  });

  it.each(["CLUSTER_SECRET", "SESSION_SECRET", "BASE_URL", "DATABASE_PATH"])(
    "must be told %s, which no node may make up",
    (name) => {
      expect(() => parseEnvironment({ ...whole, [name]: "" })).toThrow(
        `${name} must be set where LITEFS_URL is`,
      );
    },
  );

  it("takes no short secret", () => {
    expect(() => parseEnvironment({ ...whole, CLUSTER_SECRET: "short" })).toThrow(
      /^CLUSTER_SECRET must be a secret of at least 32 characters/,
    );
  });
});
