import { IncomingMessage } from "node:http";
import { Socket } from "node:net";
import { describe, expect, it } from "vitest";
import { handOver, sentPath } from "./handover.server.ts";
import { readRequestLine } from "./request-line.server.ts";

const handed = (target: string) => {
  const request = new IncomingMessage(new Socket());
  handOver(request, readRequestLine(target));
  return { request, originalUrl: "originalUrl" in request ? request.originalUrl : undefined };
};

describe("handOver", () => {
  it.each(["/api/proofs/x", "/api", "/%61pi/zones/a%2Fb?limit=1"])(
    "hands %s to the one route of the API, and keeps its path for the log",
    (target) => {
      const { request, originalUrl } = handed(target);
      expect(originalUrl).toBe("/api/any/call");
      expect(request.url).toBe(readRequestLine(target).url);
      expect(sentPath(request)).toBe(request.url);
    },
  );

  it.each(["/", "/p/x?y=1", "/apiary", "/build/a.js"])("leaves %s to Remix as it is", (target) => {
    const { request, originalUrl } = handed(target);
    expect(originalUrl).toBeUndefined();
    expect(request.url).toBe(target);
    expect(sentPath(request)).toBeUndefined();
  });
});
