import { createServer as createHttp, type Server } from "node:http";
import { createServer as createTcp } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { OutboundError } from "./failures.ts";
import { createOutbound } from "./outbound.server.ts";

const open: { close(): unknown }[] = [];
afterEach(() => {
  for (const one of open.splice(0)) one.close();
});

const listening = (server: Server | ReturnType<typeof createTcp>) =>
  new Promise<number>((resolve) => {
    open.push(server);
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      resolve(typeof address === "object" && address ? address.port : 0);
    });
  });

const loopback = createOutbound({
  allowed: ["127.0.0.0/8"],
  denied: ["127.0.0.9/32"],
  resolve: async (name) => (name === "nothing.test" ? [] : ["127.0.0.1"]),
});
const outside = createOutbound({ allowed: [], denied: ["198.41.0.4/32"] });

const reasonOf = (call: Promise<unknown>) =>
  call.then(
    () => "answered",
    (error) => (error instanceof OutboundError ? error.reason : String(error)),
  );

describe("a URL", () => {
  it.each([
    ["nonsense", /is not a URL/],
    ["ftp://example.org/", /https/],
    ["http://example.org/", /must start with https/],
    ["https://user:secret@example.org/", /user name/],
    ["https://example.org/#part", /#/],
    ["https://example.org:25/", /port 443/],
    [`https://example.org/${"x".repeat(2_048)}`, /2048 characters/],
    ["https://198.41.0.4/", /198\.41\.0\.4, which is not/],
    // Every form of an address is the same address.
    ...[
      "127.0.0.1",
      "0x7f.1",
      "2130706433",
      "017700000001",
      "127.1",
      "①②⑦.0.0.1",
      "127.0.0.1.",
      "0",
      "0.0.0.0",
      "[::]",
      "[::127.0.0.1]",
      "[64:ff9b:1::7f00:1]",
      "10.0.0.1",
      "169.254.169.254",
      "168.63.129.16",
      "[::1]",
      "[::ffff:127.0.0.1]",
      "[::ffff:7f00:1]",
      "[64:ff9b::7f00:1]",
      "[64:ff9b::808:808]",
      "[2002:7f00:1::]",
      "[2001::1]",
      "[fe80::1]",
      "[fd00:ec2::254]",
    ].map((host): [string, RegExp] => [`https://${host}/`, /which is not a public address/]),
    ["https://[fe80::1%25eth0]/", /is not a URL/],
  ])("%s is refused", (url, why) => {
    expect(outside.problem(url)).toMatch(why);
  });

  it.each([
    "https://example.org/",
    "https://example.org:8443/path?query=1",
    "https://xn--bcher-kva.example/",
    "https://bücher.example/",
    "https://8.8.8.8/",
    "https://[2606:4700::1111]/",
    // Names, which say nothing of where they lead.
    "https://example.org./",
    "https://localhost/",
  ])("%s is taken", (url) => {
    expect(outside.problem(url)).toBeNull();
  });

  it("may be plain http where the operator allows addresses, and only there", () => {
    expect(loopback.problem("http://127.0.0.1:8080/")).toBeNull();
    expect(loopback.problem("http://127.0.0.9/")).toMatch(/not a public address/);
    expect(loopback.problem("http://8.8.8.8/")).toMatch(/must start with https/);
  });
});

describe("a call", () => {
  it("goes to the address that was checked, with the name as its host, and returns the answer", async () => {
    const asked: unknown[] = [];
    const server = createHttp((request, response) => {
      asked.push(request.headers.host, request.method);
      request.pipe(response.writeHead(201, { "Retry-After": "7" }));
    });
    const port = await listening(server);
    const { status, headers, body } = await loopback.call({
      method: "POST",
      url: `http://hooks.test:${port}/x`,
      body: "über",
    });
    expect([status, headers["retry-after"], String(body)]).toEqual([201, "7", "über"]);
    expect(asked).toEqual([`hooks.test:${port}`, "POST"]);
  });

  it("does not follow a redirect", async () => {
    let calls = 0;
    const server = createHttp((_, response) => {
      calls += 1;
      response.writeHead(307, { Location: "/again" }).end();
    });
    const port = await listening(server);
    const url = `http://127.0.0.1:${port}/`;
    expect((await loopback.call({ method: "GET", url })).status).toBe(307);
    expect(calls).toBe(1);
  });

  it("reads 64 KB of an endless answer and closes the connection", async () => {
    let sent = 0;
    const closed = new Promise<void>((resolve) => {
      const server = createHttp((_, response) => {
        response.writeHead(200);
        const write = () => {
          while (!response.destroyed && response.write(Buffer.alloc(65_536))) sent += 65_536;
        };
        response.on("drain", write).once("close", resolve);
        write();
      });
      void listening(server).then(async (port) => {
        const { body } = await loopback.call({ method: "GET", url: `http://127.0.0.1:${port}/` });
        expect(body.length).toBe(65_536);
      });
    });
    await closed;
    expect(sent).toBeLessThan(64 * 1024 * 1024);
  });

  it("ends after five seconds, whatever comes of the name, the connection or the answer", async () => {
    const silent = await listening(createTcp(() => {}));
    const drip = await listening(
      createTcp((socket) => {
        const timer = setInterval(() => socket.write("H"), 100);
        socket.on("error", () => {}).once("close", () => clearInterval(timer));
      }),
    );
    const nowhere = createOutbound({
      allowed: ["127.0.0.0/8"],
      denied: [],
      resolve: () => new Promise(() => {}),
    });
    const at = (port: number) => ({ method: "GET" as const, url: `http://127.0.0.1:${port}/` });
    const reasons = await Promise.all([
      reasonOf(loopback.call(at(silent))),
      reasonOf(nowhere.call({ method: "GET", url: "https://never.test/" })),
      reasonOf(loopback.call(at(drip))),
    ]);
    expect(reasons.slice(0, 2)).toEqual(["timeout", "timeout"]);
    expect(reasons[2]).toMatch(/timeout|not_http/);
  });

  it("says why there was no answer", async () => {
    const junk = await listening(
      createTcp((socket) => {
        socket.on("error", () => {}).end("SSH-2.0-nothing\r\n");
      }),
    );
    const upgrade = await listening(
      createTcp((socket) => {
        socket
          .on("error", () => {})
          .write("HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n");
      }),
    );
    const closedPort = await listening(createTcp());
    open[2]?.close();
    const get = (url: string) => reasonOf(loopback.call({ method: "GET", url }));
    expect(await get(`http://127.0.0.1:${junk}/`)).toBe("not_http");
    expect(await get(`http://127.0.0.1:${upgrade}/`)).toMatch(/not_http|unreachable/);
    expect(await get(`http://127.0.0.1:${closedPort}/`)).toBe("unreachable");
    expect(await get("https://nothing.test/")).toBe("name_not_found");
    expect(await get("https://127.0.0.9/")).toBe("bad_url");
  });
});
