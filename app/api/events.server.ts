import { credentialOf } from "#app/auth/api-key.server.ts";
import type { App } from "#app/http/app.server.ts";
import type { Connection } from "#app/http/connection.server.ts";
import { eventStream } from "#app/http/sse.server.ts";
import { DeedError } from "#app/services/errors.server.ts";
import { feedPosition } from "#app/services/feed/feed.server.ts";
import { AccountEvent } from "#app/services/resources.ts";
import { type Call, defineEndpoint, reply } from "./endpoint.server.ts";

/** Streams one account may have open at once. */
export const MAX_STREAMS = 20;

function startPosition({ app, request }: Pick<Call, "app" | "request">): number {
  const newest = feedPosition(app);
  const last = request.headers.get("Last-Event-ID") ?? "";
  // An id beyond the end of the feed comes from a database that has since been replaced.
  return /^\d{1,15}$/.test(last) ? Math.min(Number(last), newest) : newest;
}

type StreamStart = { credential: string; accountId: string; position: number };

/** A separate function, so that the stream does not retain the call that opened it. */
const openStream = (
  app: App,
  connection: Connection,
  { credential, accountId, position }: StreamStart,
): ReadableStream<Uint8Array> =>
  eventStream({
    connection,
    start: (sink) => app.streams.subscribe(accountId, { sink, credential, position }),
  });

export const accountEvents = defineEndpoint({
  method: "GET",
  path: "/api/events",
  group: "Events",
  summary: "Follow changes on the account",
  description:
    "A stream of unnamed events that stays open. It carries no state: a message names what moved and the client reads it back. Each has an id; a reconnect that sends it as `Last-Event-ID` gets what it missed (24 hours are kept). A comment every 20 seconds keeps it alive; it ends when the session or the API key does.",
  session: true,
  byKey: "domains:read",
  requestHeaders: { "Last-Event-ID": "Id of the last message received." },
  response: { 200: { stream: { message: AccountEvent } } },
  errors: ["rate_limited"],
  handler(call) {
    const { app, connection, request, caller } = call;
    if (request.method === "HEAD") return reply(200, "");
    const { accountId } = caller;
    if (app.streams.countOf(accountId) >= MAX_STREAMS)
      throw new DeedError("rate_limited", {
        message: `This account has ${MAX_STREAMS} event streams open. Close one first.`,
        retryAfter: 20,
      });
    const position = startPosition(call);
    const credential = credentialOf(caller);
    return reply(200, openStream(app, connection, { credential, accountId, position }));
  },
});

export const eventEndpoints = [accountEvents];
