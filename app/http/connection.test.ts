import { createServer, type IncomingMessage, type Server } from "node:http";
import { connect } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parseEnvironment } from "#app/ops/environment/env.server.ts";
import { type Connection, createIntake } from "./connection.server.ts";

type Seen = { url: string; method: string; headers: IncomingMessage["headers"] };

let server: Server;
let port = 0;
let seen: Seen = { url: "", method: "", headers: {} };
let connection: Connection;
let respond = true;

const configured = parseEnvironment({
  BASE_URL: "https://deed.example.org",
  TRUSTED_PROXIES: "127.0.0.0/8",
});
const plain = parseEnvironment({ PORT: "3000" });
let receive = createIntake(plain);

beforeAll(async () => {
  server = createServer((request, response) => {
    connection = receive(request, response);
    const { url = "", method = "", headers } = request;
    seen = { url, method, headers: { ...headers } };
    if (respond) response.end("ok");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", () => resolve()));
  const address = server.address();
  port = typeof address === "object" && address ? address.port : 0;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

/** Sends bytes as they are and returns the answer's head. */
const send = (lines: string[], body = "") =>
  new Promise<string>((resolve, reject) => {
    const socket = connect(port, "127.0.0.1", () =>
      socket.write(`${[...lines, "Connection: close"].join("\r\n")}\r\n\r\n${body}`),
    );
    let text = "";
    socket.on("data", (chunk) => {
      text += chunk;
    });
    socket.on("close", () => resolve(text));
    socket.on("error", reject);
  });

describe("createIntake", () => {
  it("takes the sign-in token out of what the server sees", async () => {
    await send(["GET /sign-in/confirm?token=s3cret HTTP/1.1", "Host: localhost"]);
    expect(seen.url).toBe("/sign-in/confirm");
    expect(JSON.stringify(seen.headers)).not.toContain("s3cret");
    expect(connection.signInToken).toBe("s3cret");
  });

  it("lets nobody speak for it: incoming x-deed-* headers go", async () => {
    await send(["GET / HTTP/1.1", "Host: localhost", "X-Deed-Role: admin"]);
    expect(seen.headers["x-deed-role"]).toBeUndefined();
    expect(connection.address).toBe("127.0.0.1");
  });

  it("believes X-Forwarded-For past trusted proxies only", async () => {
    const lines = ["GET / HTTP/1.1", "Host: localhost", "X-Forwarded-For: 198.51.100.7"];
    receive = createIntake(plain);
    await send(lines);
    expect(connection.address).toBe("127.0.0.1");
    receive = createIntake(configured);
    await send(lines);
    expect(connection.address).toBe("198.51.100.7");
    receive = createIntake(plain);
  });

  it.each([
    [true, plain, ["Host: localhost"]],
    [false, plain, ["Host: localhost", "X-Forwarded-For: 127.0.0.1"]],
    [false, configured, ["Host: localhost", "X-Forwarded-For: 127.0.0.1"]],
    [false, plain, ["Host: localhost", "Forwarded: for=127.0.0.1"]],
    [false, plain, ["Host: localhost", "X-Forwarded-Proto: https"]],
    [false, plain, ["Host: localhost", "Via: 1.1 proxy"]],
  ])("takes a request for one of this machine: %s", async (isOwn, env, headers) => {
    receive = createIntake(env);
    await send(["GET / HTTP/1.1", ...headers]);
    expect(connection.isLocal).toBe(isOwn);
    receive = createIntake(plain);
  });

  it("sets the query of an API call aside", async () => {
    await send(["GET /api/domains?_data=x HTTP/1.1", "Host: localhost"]);
    expect(seen.url).toBe("/api/domains");
    expect(connection.api).toEqual({ path: "/api/domains", search: "?_data=x" });
  });

  it.each([
    ["TRACE", "OPTIONS", "TRACE"],
    ["PROPFIND", "OPTIONS", "PROPFIND"],
    ["PATCH", "PATCH", null],
  ])("hands %s on as %s", async (sent, handed, foreign) => {
    await send([`${sent} /api/domains HTTP/1.1`, "Host: localhost"]);
    expect(seen.method).toBe(handed);
    expect(connection.foreignMethod).toBe(foreign);
  });

  it.each(["a b", "evil.example:99999", "]", "evil.example/path", "user@evil.example", ""])(
    "replaces a Host of %j that no URL can hold",
    async (host) => {
      await send(["GET / HTTP/1.1", `Host: ${host}`]);
      expect(seen.headers.host).toBe("localhost:3000");
    },
  );

  it("shows Remix the service's own Host where BASE_URL says it", async () => {
    receive = createIntake(configured);
    await send(["GET / HTTP/1.1", "Host: evil.example", "X-Forwarded-Host: evil.example"]);
    expect(seen.headers.host).toBe("deed.example.org");
    expect(seen.headers["x-forwarded-host"]).toBeUndefined();
    receive = createIntake(plain);
  });

  it("keeps a page's write from another site from every action", async () => {
    const post = (origin: string, path = "/domains") =>
      send([
        `POST ${path} HTTP/1.1`,
        "Host: localhost:3000",
        `Origin: ${origin}`,
        "Content-Length: 0",
      ]);
    await post("https://evil.example");
    expect(seen).toMatchObject({ method: "GET", url: "/cross-origin" });
    await post("null", "/sign-in?_data=routes%2Fsign-in");
    expect(seen).toMatchObject({ method: "GET", url: "/cross-origin" });
    await post("http://localhost:3000");
    expect(seen).toMatchObject({ method: "POST", url: "/domains" });
    await post("https://evil.example", "/api/domains");
    expect(seen).toMatchObject({ method: "POST", url: "/api/domains" });
  });

  it("aborts `closed` when the client leaves", async () => {
    respond = false;
    const socket = connect(port, "127.0.0.1", () =>
      socket.write("GET /held HTTP/1.1\r\nHost: localhost\r\n\r\n"),
    );
    while (seen.url !== "/held") await new Promise((resolve) => setTimeout(resolve, 5));
    expect(connection.closed.aborted).toBe(false);
    const left = new Promise((resolve) => connection.closed.addEventListener("abort", resolve));
    socket.destroy();
    await left;
    respond = true;
  });

  it("answers before a refused body has arrived, and cuts one that never ends", async () => {
    const answer = await send(
      ["POST /api/x HTTP/1.1", "Host: localhost:3000", "Content-Length: 1000000"],
      "x".repeat(50_000),
    );
    expect(answer).toMatch(/^HTTP\/1.1 200/);
  });
});
