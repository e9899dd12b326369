import * as z from "zod";
import { DeedError } from "#app/core/errors.server.ts";
import { AccountEvent, EventList, StreamReset } from "#app/core/resources.ts";
import type { App, Subscriber } from "#app/http/app.server.ts";
import { credentialOf } from "#app/http/caller/api-key.server.ts";
import type { Connection } from "#app/http/connection.server.ts";
import { eventStream } from "#app/http/sse.server.ts";
import { defineEndpoint } from "./endpoint.server.ts";
import { Cursor, PageSize } from "./inputs.ts";

const MAX_STREAMS = 20;

/** This function is separate, so that the stream does not retain the call that opened it. */
const openStream = (
  { streams }: App,
  connection: Connection,
  accountId: string,
  options: Omit<Subscriber, "sink">,
) => eventStream(connection, (sink) => streams.subscribe(accountId, { sink, ...options }));

export const eventEndpoints = {
  streamEvents: defineEndpoint("GET /api/events", {
    group: "Events",
    summary: "Follow changes in the account",
    description:
      "A stream of unnamed events that stays open. Its messages carry no state: each names what changed, and the client reads that again. Each message has an id. A client that sends the last one as `Last-Event-ID` when it reconnects gets what it missed (24 hours are kept). If some of that is no longer kept, or the id is unknown, the event `reset` comes first: read your lists again. A comment every 20 seconds keeps it alive; it ends with the session or the API key.",
    session: true,
    byKey: "domains:read",
    requestHeaders: { "Last-Event-ID": "Id of the last message received." },
    response: { 200: { stream: { message: AccountEvent, reset: StreamReset } } },
    errors: ["rate_limited"],
    handler({ app, connection, request, caller }) {
      if (request.method === "HEAD") return "";
      const { accountId } = caller;
      if (app.streams.countOf(accountId) >= MAX_STREAMS)
        throw new DeedError("rate_limited", {
          message: `This account has ${MAX_STREAMS} event streams open, the maximum for any account. Close one first.`,
          retryAfter: 20,
          budget: "streams",
        });
      const credential = credentialOf(caller);
      const lastEventId = request.headers.get("Last-Event-ID") || null;
      return openStream(app, connection, accountId, { credential, lastEventId });
    },
  }),
  listEvents: defineEndpoint("GET /api/events/list", {
    group: "Events",
    summary: "List past changes in the account, oldest first",
    description:
      "The messages of the stream, for a program that asks from time to time. Without `after`, the list starts with the oldest message that is kept (24 hours). Send `nextCursor`, or the id of an event, as `after`. Fewer events than `limit` means that there are no more.",
    session: true,
    byKey: "domains:read",
    query: z.strictObject({ after: Cursor.optional(), limit: PageSize }),
    response: { 200: EventList },
    handler: ({ app, caller, query }) =>
      app.streams.list(caller.accountId, query.after, query.limit),
  }),
};
