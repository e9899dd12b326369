import * as z from "zod";
import { defineEndpoint } from "#app/api/endpoint.server.ts";
import { DeedError } from "#app/core/errors.server.ts";
import { isTestKey, readKeyText } from "#app/core/ids.server.ts";
import { object } from "#app/core/resources.ts";
import type { App } from "#app/http/app.server.ts";
import { type KeyBearer, keyOf, worldOfKey } from "#app/http/caller/api-key.server.ts";
import type { Site } from "#app/http/connection.server.ts";
import { answerError } from "#app/http/errors.server.ts";
import { count } from "#app/http/metrics.server.ts";

const NOT_HELD = new DeedError("not_found", {
  message: "No domain with that name can be relied on here.",
});
const plainName = (name: string) => name.toLowerCase().replace(/\.$/, "");

/** Reads a key; null if the text is not a key that a gate may use. */
function bearerOf(app: App, text: string, address: string): KeyBearer | null {
  const { id } = readKeyText(text) ?? {};
  if (id === undefined) return null;
  const find = () => keyOf(app, text, address);
  try {
    const key = isTestKey(id) ? find() : app.gate.keyOf(id, text, address, find);
    return key.scopes.includes("gate:ask") ? key : null;
  } catch (error) {
    if (error instanceof DeedError && error.code === "invalid_api_key") return null;
    throw error;
  }
}

export const askGate = defineEndpoint("GET /api/gate/:key", {
  group: "Domains",
  summary: "Ask whether a name can be relied on, as a proxy does",
  description:
    "For programs that can only call a URL, such as Caddy before it orders a certificate. The key in the path needs the scope `gate:ask`. 200 if a domain of exactly that name `holds` for any reference. Otherwise 404 without a reason, even if the key is wrong. Answered from memory, and counts against no budget.",
  session: false,
  params: z.strictObject({ key: z.string() }),
  query: z.object({ domain: z.string().default("") }),
  response: { 200: object("GateAnswer", { holds: z.literal(true) }) },
  errors: ["not_found"],
  async handler({ app, connection, params, query }) {
    const key = bearerOf(app, params.key, connection.address);
    const world = key && (await worldOfKey(app, key.accountId, key.keyId));
    if (!key || !world?.gate.holds(key.accountId, plainName(query.domain))) throw NOT_HELD;
    return { holds: true as const };
  },
});

const GATE_URL = /^\/api\/gate\/([0-9a-z_]+)\?domain=([\w.-]+)$/;
const HOLDS_BODY = JSON.stringify({ holds: true });
const JSON_HEADERS = {
  "Content-Type": "application/json; charset=utf-8",
  "Content-Length": HOLDS_BODY.length,
  "Cache-Control": "no-store, no-transform",
};

/** Answers requests with a good key directly, six times as fast as dispatch; passes all else on to the site. */
export const withGate =
  (app: App, site: Site): Site =>
  (request, response, connection) => {
    const { api, address } = connection;
    const [, text, name = ""] = GATE_URL.exec(`${api?.path}${api?.search}`) ?? [];
    const isPlain = request.method === "GET" && !app.closing.aborted;
    const key = text && isPlain ? bearerOf(app, text, address) : null;
    if (!key || isTestKey(key.keyId)) return site(request, response, connection);
    const holds = app.gate.holds(key.accountId, plainName(name));
    count("deed_api_requests_total", { method: "GET", status: holds ? 200 : 404 });
    if (holds) response.writeHead(200, JSON_HEADERS).end(HOLDS_BODY);
    else answerError(response, connection.sent.url, NOT_HELD, app.settings.docsUrl);
  };
