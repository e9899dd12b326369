import { expect, it } from "vitest";
import { ENDPOINTS } from "#app/endpoints.server.ts";
import { openApiDocument } from "#app/features/docs/openapi.server.ts";
import { faultsOf } from "./answers.ts";
import { Description, Judge } from "./description.ts";
import type { Received, Sent } from "./wire.ts";

/** The fuzzer finds only what its checks reject, so responses with a single change must be rejected. */

const settings = { baseUrl: "http://localhost:3000", docsUrl: "http://localhost:3000/docs" };
const description = new Description(
  JSON.parse(JSON.stringify(openApiDocument(ENDPOINTS, settings))) as ConstructorParameters<
    typeof Description
  >[0],
);
const asked = (method: string, target: string): Sent => ({
  method,
  target,
  headers: {},
  body: null,
});
const answer = (status: number, json: unknown, headers = {}): Received => ({
  status,
  headers: {
    "content-type": "application/json; charset=utf-8",
    "cache-control": "no-store",
    "x-content-type-options": "nosniff",
    ...headers,
  },
  body: typeof json === "string" ? json : JSON.stringify(json),
  isOpen: false,
});
const error = (code: string, more = {}) => ({
  error: { code, message: "A sentence.", docsUrl: `${settings.docsUrl}/errors#${code}`, ...more },
});
const domain = {
  id: "dom_1",
  name: "acme.com",
  unicodeName: "acme.com",
  reference: null,
  archived: false,
  lastProvedAt: null,
  createdAt: "2026-03-12T10:00:00.000Z",
};
const read = asked("GET", "/api/domains/dom_1");

const [typeHtml, unkept] = [{ "content-type": "text/html" }, { "cache-control": "" }];
const sniffable = { "x-content-type-options": undefined };
const gone = (more = {}) => answer(404, error("domain_not_found", more));
it.each([
  ["a field too many", read, answer(200, { ...domain, token: "x" })],
  ["a field missing", read, answer(200, { ...domain, archived: undefined })],
  ["seconds for milliseconds", read, answer(200, { ...domain, createdAt: "2026-03-12T10:00:00Z" })],
  ["a status of others", read, answer(201, domain)],
  ["a code of other endpoints", read, answer(404, error("claim_not_found"))],
  ["a code with another status", read, answer(400, error("domain_not_found"))],
  ["a member beside error", read, answer(404, { ...error("domain_not_found"), ok: false })],
  ["a member within error", read, gone({ stack: "at x" })],
  ["no message", read, gone({ message: " " })],
  ["another page", read, gone({ docsUrl: "/x" })],
  ["HTML", read, answer(404, error("domain_not_found"), typeHtml)],
  ["an error to be kept", read, answer(404, error("domain_not_found"), unkept)],
  ["a limit without an end", read, answer(429, error("rate_limited"))],
  ["a fault of ours", read, answer(500, error("internal"))],
  ["not JSON", read, answer(200, "<!doctype html>")],
  ["sniffable", read, answer(200, domain, sniffable)],
  ["a path too many", asked("GET", "/api/domains/dom_1//"), answer(200, domain)],
  [
    "Allow without OPTIONS",
    asked("PUT", "/api/claims/clm_1"),
    answer(405, error("method_not_allowed"), { allow: "GET, HEAD" }),
  ],
  ["a body after HEAD", asked("HEAD", "/api/domains/dom_1"), answer(200, domain)],
  ["a body with 204", asked("DELETE", "/api/domains/dom_1"), answer(204, "{}")],
  [
    "an event of another kind",
    asked("GET", "/api/zones/acme.com"),
    answer(200, 'event: error\ndata: {"code":"x"}\n\n', { "content-type": "text/event-stream" }),
  ],
])("an answer doctored in one thing is refused: %s", (_, sent, received) => {
  expect(faultsOf(description, sent, received)).not.toEqual([]);
});

it("throws at a keyword of a schema that it does not know, rather than passing it over", () => {
  const unknown = { type: "string", surprise: true };
  expect(() => new Judge({}).faults(unknown, "a")).toThrow("surprise");
});
