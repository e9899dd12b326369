import { once } from "node:events";
import { createServer, type IncomingMessage, type RequestListener, request } from "node:http";
import { createServer as createTcp } from "node:net";
import { text } from "node:stream/consumers";
import { expect, it } from "vitest";
import { listening, portOf } from "#app/core/testing/servers.ts";
import { boundedBody, type ForwardOutcome, forward, REFUSAL_HEADER } from "./forward.server.ts";
import { FORWARD_HEADER, verify } from "./forward-header.server.ts";

const SECRET = "s".repeat(32);

const listen = async (server: Parameters<typeof portOf>[0]) => `127.0.0.1:${await portOf(server)}`;

/** Runs a replica in front of `target`. Returns the client's response and how the forward ended. */
async function through(
  target: string,
  { method = "POST", path = "/api/domains?a=b", headers = {}, body = "" } = {},
) {
  let outcome = null as ForwardOutcome | null;
  const replica = await listen(
    createServer(async (incoming, response) => {
      response.setHeader("X-Local", "1");
      const original = { method, url: incoming.url ?? "", headers: incoming.rawHeaders };
      const sent = method === "GET" ? null : await boundedBody(incoming, 16);
      const passage = { hops: 1, address: "203.0.113.9" };
      outcome = await forward(target, SECRET, original, passage, sent, response);
      if (outcome !== "answered") response.writeHead(503).end("local");
    }),
  );
  const asked = request(`http://${replica}${path}`, { method, headers }).end(body);
  const [reply] = (await once(asked, "response")) as [IncomingMessage];
  const answer = { status: reply.statusCode, raw: reply.rawHeaders, text: await text(reply) };
  if (!outcome) throw new Error("nothing was forwarded");
  return { answer, outcome };
}

const primary = (handler: RequestListener) => listen(createServer(handler));

it("carries request and answer as they are, under a word for the client's address", async () => {
  const target = await primary(async (incoming, response) => {
    const line = { method: incoming.method ?? "", url: incoming.url ?? "" };
    const header = String(incoming.headers[FORWARD_HEADER]);
    const passage = verify(SECRET, line, header, Date.now());
    const body = await boundedBody(incoming, 100);
    response.writeHead(303, [
      ["Set-Cookie", "a=1"],
      ["Set-Cookie", "b=2"],
      ["Location", "/claims/x"],
    ] as unknown as string[]);
    const { host, cookie, authorization } = incoming.headers;
    response.end(
      JSON.stringify({ ...line, passage, body: `${body}`, host, cookie, authorization }),
    );
  });
  const own = { host: "deed.example.org", cookie: "session=x", authorization: "Bearer k" };
  const headers = { ...own, [FORWARD_HEADER]: "forged" };
  const { answer, outcome } = await through(target, { headers, body: "name=acme.com" });
  expect(outcome).toBe("answered");
  expect(answer.status).toBe(303);
  expect(answer.raw.filter((_, i) => answer.raw[i - 1] === "Set-Cookie")).toEqual(["a=1", "b=2"]);
  expect(answer.raw).toContain("/claims/x");
  expect(answer.raw).not.toContain("X-Local");
  expect(JSON.parse(answer.text)).toEqual({
    method: "POST",
    url: "/api/domains?a=b",
    passage: { hops: 1, address: "203.0.113.9" },
    body: "name=acme.com",
    ...own,
  });
});

it("sends no more of a body than one byte over the limit", async () => {
  const target = await primary(async (incoming, response) => {
    response.end(String((await boundedBody(incoming, 1_000)).length));
  });
  expect((await through(target, { body: "x".repeat(500_000) })).answer.text).toBe("17");
});

it("says that nothing was sent where nobody listens, or the secret is refused", async () => {
  const { port, stop } = await listening(createTcp());
  stop();
  expect((await through(`127.0.0.1:${port}`)).outcome).toBe("unsent");
  const stranger = await primary((_, response) => {
    response.writeHead(400, { [REFUSAL_HEADER]: "secret" }).end();
  });
  expect((await through(stranger)).outcome).toBe("unsent");
});

it("says that a request was lost where the connection ends without an answer", async () => {
  const target = await listen(createTcp((socket) => socket.once("data", () => socket.destroy())));
  const { answer, outcome } = await through(target);
  expect(outcome).toBe("lost");
  expect(answer.text).toBe("local");
});
