import { readFileSync } from "node:fs";
import { connect } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { consumeBudget, Limiter } from "#app/http/limits.server.ts";
import { parseEnvironment } from "#app/ops/environment/env.server.ts";
import { Client } from "../support/client.ts";
import { type Service, startService } from "../support/service.ts";

// app/http/limits.test.ts shows that no number of keys takes 50 MB.
const BUDGET = 10;
const MB = 1024 * 1024;

let open: Service;
let proxied: Service;
beforeAll(async () => {
  const env = { RATE_LIMIT_PROOFS: `${BUDGET}/600`, RATE_LIMIT_MAIL_IP: `${BUDGET}/600` };
  [open, proxied] = await Promise.all([
    startService({ env }),
    startService({ env: { ...env, TRUSTED_PROXIES: "127.0.0.0/8,::1/128" } }),
  ]);
});
afterAll(() => Promise.all([open.stop(), proxied.stop()]));

const address = (at: number) => `198.51.${(at >> 8) & 255}.${at & 255}`;

/** How many of `count` requests stay within the budget. */
async function admitted(
  service: Service,
  count: number,
  headers: (at: number) => Record<string, string>,
): Promise<number> {
  const client = new Client(service.url);
  let passed = 0;
  for (let at = 0; at < count; at += 1) {
    const answer = await client.request("GET", "/api/proofs/none", { headers: headers(at) });
    if (answer.status !== 429) passed += 1;
  }
  return passed;
}

describe("a forged client address", () => {
  it("gains nothing if no proxy is trusted", async () => {
    const passed = await admitted(open, 100, (at) => ({
      "X-Forwarded-For": at % 2 ? address(at) : `${address(at)}, ${address(at + 1)}`,
      "X-Real-IP": address(at),
      "True-Client-IP": address(at),
      "CF-Connecting-IP": address(at),
      Forwarded: `for=${address(at)}`,
      "X-Deed-Connection": String(at),
      "X-Deed-Passage": address(at),
    }));
    expect(passed).toBe(BUDGET);
    const page = await new Client(open.url).request("GET", "/p/none", {
      headers: { "X-Forwarded-For": "192.0.2.77" },
    });
    expect(page.status).toBe(429);
  });

  it("gains nothing before what the trusted proxy adds", async () => {
    const passed = await admitted(proxied, 100, (at) => ({
      "X-Forwarded-For": `${address(at)}, 203.0.113.7`,
    }));
    expect(passed).toBe(BUDGET);
  });

  it("gains nothing for mails", async () => {
    const client = new Client(open.url);
    let sent = 0;
    for (let at = 0; at < 40; at += 1) {
      const answer = await client.request("POST", "/api/auth/magic-link", {
        json: { email: `mail${at}@example.org` },
        headers: { "X-Forwarded-For": address(at) },
      });
      if (answer.status === 202) sent += 1;
    }
    expect(sent).toBe(BUDGET);
  });
});

describe("65,536 addresses of one /64", () => {
  it("are one bucket", async () => {
    const app = { limiter: new Limiter(parseEnvironment({ RATE_LIMIT_ZONES: `${BUDGET}/600` })) };
    let passed = 0;
    for (let at = 0; at < 65_536; at += 1) {
      const low = [at, at * 31, at * 7, at * 13].map((part) => (part & 0xffff).toString(16));
      await consumeBudget(app, "zones", `2001:db8:1:2:${low.join(":")}`).then(
        () => (passed += 1),
        () => {},
      );
      // Lets the sockets kept from the previous test notice that the service has closed them.
      if (at % 1024 === 0) await new Promise((resolve) => setImmediate(resolve));
    }
    console.log(`65536 addresses: ${passed} passed, the budget is ${BUDGET}`);
    expect(passed).toBe(BUDGET);
  });

  it("are one bucket on the served service", async () => {
    const passed = await admitted(proxied, 200, (at) => ({
      "X-Forwarded-For": `2001:db8:9:9:${at.toString(16)}::${at + 1}`,
    }));
    expect(passed).toBe(BUDGET);
  });
});

const REFUSED = 300 * MB;

/**
 * Posts 300 MB without looking at what comes back, as a program does that writes first and reads then. Resolves with
 * the status once the service closes the connection, or has taken everything.
 */
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
