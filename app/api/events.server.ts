import { sessionOf } from "#app/auth/session.server.ts";
import { type EventSink, eventStream, formatEvent } from "#app/http/sse.server.ts";
import { DeedError } from "#app/services/errors.server.ts";
import { feedPosition, onFeed, readFeed } from "#app/services/events.server.ts";
import { AccountEvent } from "#app/services/resources.ts";
import { type Call, defineEndpoint, reply } from "./endpoint.server.ts";

/** Streams one account may hold open. */
export const MAX_STREAMS = 20;
const PAGE = 100;
const openStreams = new Map<string, number>();

function occupy(accountId: string): () => void {
  const open = openStreams.get(accountId) ?? 0;
  if (open >= MAX_STREAMS)
    throw new DeedError("rate_limited", {
      message: `This account has ${MAX_STREAMS} event streams open. Close one first.`,
      retryAfter: 20,
    });
  openStreams.set(accountId, open + 1);
  return () => {
    const left = (openStreams.get(accountId) ?? 1) - 1;
    if (left > 0) openStreams.set(accountId, left);
    else openStreams.delete(accountId);
  };
}

/** Streams open in this process, for the metrics. */
export const openStreamCount = (): number =>
  [...openStreams.values()].reduce((sum, count) => sum + count, 0);

/** Whether the session the stream was opened with still stands: asked anew, past the request's own memory. */
const isSignedIn = async ({ request }: Call) =>
  (await sessionOf(new Request(request.url, { headers: request.headers }))) !== null;

function startingPoint({ app, request }: Call): number {
  const newest = feedPosition(app);
  const last = request.headers.get("Last-Event-ID") ?? "";
  // A number ahead of the feed is of a database that was here before.
  return /^\d{1,15}$/.test(last) ? Math.min(Number(last), newest) : newest;
}

/** Sends what the account's feed holds past `position` each time it is asked to, one pass at a time. */
function follower(call: Call, accountId: string, sink: EventSink) {
  let position = startingPoint(call);
  let isRunning = false;
  let isWanted = false;

  const pass = async () => {
    if (!(await isSignedIn(call))) return sink.close();
    for (let page = PAGE; page === PAGE && !sink.isClosed; ) {
      const messages = readFeed(call.app, accountId, position, PAGE);
      page = messages.length;
      for (const { id, type, ids } of messages) {
        sink.send(formatEvent({ id, data: { type, ...ids } }));
        position = id;
      }
    }
  };

  return async () => {
    isWanted = true;
    if (isRunning) return;
    isRunning = true;
    try {
      while (isWanted && !sink.isClosed) {
        isWanted = false;
        await pass();
      }
    } catch (error) {
      call.app.log.error({ err: error }, "an account stream failed");
      sink.close();
    } finally {
      isRunning = false;
    }
  };
}

export const followAccount = defineEndpoint({
  method: "GET",
  path: "/api/events",
  group: "Events",
  summary: "Follow what moves on the account",
  description:
    "A stream of unnamed events that stays open. It carries no state: a message names what moved and the client reads it back. Each has an id; a reconnect that sends it as `Last-Event-ID` gets what it missed (24 hours are kept). A comment every 20 seconds keeps it alive; it ends when the session does.",
  session: true,
  requestHeaders: { "Last-Event-ID": "Id of the last message received." },
  response: { 200: { stream: { message: AccountEvent } } },
  errors: ["rate_limited"],
  handler(call) {
    const { app, connection, request, session } = call;
    if (request.method === "HEAD") return reply(200, "");
    const leave = occupy(session.accountId);
    return reply(
      200,
      eventStream({
        connection,
        closing: app.closing,
        start(sink) {
          const follow = follower(call, session.accountId, sink);
          const stopListening = onFeed(app, session.accountId, () => void follow());
          sink.send(": open\n\n");
          void follow();
          return {
            onBeat: () => void follow(),
            onEnd() {
              stopListening();
              leave();
            },
          };
        },
      }),
    );
  },
});

export const eventEndpoints = [followAccount];
