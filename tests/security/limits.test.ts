import { readFileSync } from "node:fs";
import { connect } from "node:net";
import { describe, expect, it } from "vitest";
import { Client } from "../support/deed.ts";
import { type Service, startService } from "../support/service.ts";

// app/http/limits.test.ts shows that no number of keys takes 50 MB.
const BUDGET = 10;
const MB = 1024 * 1024;

const address = (at: number) => `198.51.${(at >> 8) & 255}.${at & 255}`;

/** app/http/limits.test.ts has all addresses of one /64 in one bucket. */
describe("a forged client address", () => {
  type Forged = (at: number) => Record<string, string>;
  const everywhere: Forged = (at) => ({
    "X-Forwarded-For": at % 2 ? address(at) : `${address(at)}, ${address(at + 1)}`,
    "X-Real-IP": address(at),
    "True-Client-IP": address(at),
    "CF-Connecting-IP": address(at),
    Forwarded: `for=${address(at)}`,
    "X-Deed-Connection": String(at),
    "X-Deed-Passage": address(at),
  });
  const before: Forged = (at) => ({ "X-Forwarded-For": `${address(at)}, 203.0.113.7` });
  const within: Forged = (at) => ({
    "X-Forwarded-For": `2001:db8:9:9:${at.toString(16)}::${at + 1}`,
  });

  it.each<[when: string, trusted: string, forged: Forged[]]>([
    ["if no proxy is trusted", "", [everywhere]],
    ["before what the trusted proxy adds, or in a /64", "127.0.0.0/8,::1/128", [before, within]],
  ])("gains nothing %s", async (_, TRUSTED_PROXIES, forged) => {
    const RATE_LIMIT_PROOFS = `${BUDGET}/600`;
    const service = await startService({ env: { TRUSTED_PROXIES, RATE_LIMIT_PROOFS } });
    try {
      const client = new Client(service.url);
      const paths = ["/api/proofs/none", "/p/none"];
      for (const headers of forged) {
        let passed = 0;
        // One by one, over one connection: localhost has two addresses.
        for (let at = 0; at < 60; at++) {
          const asked = { headers: headers(at) };
          if ((await client.request("GET", paths[at % 2] ?? "", asked)).status !== 429) passed++;
        }
        expect(passed).toBe(BUDGET);
      }
    } finally {
      await service.stop();
    }
  });
});

const REFUSED = 300 * MB;

/** Posts 300 MB without looking at what comes back; resolves with the status once the connection closes. */
const postBlindly = (service: Service, path: string, type: string, framing: "length" | "chunks") =>
  new Promise<number>((resolve) => {
    const { host, port } = new URL(service.url);
    const data = "a".repeat(MB);
    const chunk = framing === "length" ? data : `${MB.toString(16)}\r\n${data}\r\n`;
    const head = [
      `POST ${path} HTTP/1.1`,
      `Host: ${host}`,
      `Origin: ${service.url}`,
      `Content-Type: ${type}`,
      framing === "length" ? `Content-Length: ${REFUSED}` : "Transfer-Encoding: chunked",
    ];
    let answer = "";
    const socket = connect(Number(port), "127.0.0.1");
    socket.on("data", (bytes) => {
      answer += bytes;
    });
    socket.on("error", () => {});
    socket.on("close", () => resolve(Number(answer.split(" ")[1])));
    let sent = 0;
    const pump = () => {
      while (sent < REFUSED && !socket.destroyed) {
        sent += MB;
        if (!socket.write(chunk)) return void socket.once("drain", pump);
      }
      socket.end();
    };
    socket.write(`${head.join("\r\n")}\r\n\r\n`);
    pump();
  });

const residentMb = (service: Service, field: "VmRSS" | "VmHWM") => {
  const status = readFileSync(`/proc/${service.child.pid}/status`, "utf8");
  return Number(new RegExp(`${field}:\\s+(\\d+)`).exec(status)?.[1]) / 1024;
};

describe.runIf(process.platform === "linux")("a body of 300 MB", () => {
  it("costs under 30 MB, declared or not, on the API and on a form", async () => {
    const own = await startService();
    const form = "application/x-www-form-urlencoded";
    try {
      const before = residentMb(own, "VmRSS");
      const answers = [
        await postBlindly(own, "/api/auth/magic-link", "application/json", "length"),
        await postBlindly(own, "/api/auth/magic-link", "application/json", "chunks"),
        await postBlindly(own, "/sign-in?index", form, "chunks"),
        await postBlindly(own, "/nowhere", form, "length"),
        await postBlindly(own, "/sign-in?index", "multipart/form-data", "chunks"),
      ];
      const cost = residentMb(own, "VmHWM") - before;
      console.log(`five bodies of 300 MB: ${answers.join(", ")}, ${cost.toFixed(1)} MB`);
      expect(cost).toBeLessThan(30);
      expect(answers).toEqual([413, 413, 413, 404, 415]);
      expect((await new Client(own.url).get("/api/health")).status).toBe(200);
    } finally {
      await own.stop();
    }
  });
});
