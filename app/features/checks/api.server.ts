import type { Check } from "@deed/dns/library/check.ts";
import { MAX_VALUE } from "@deed/dns/library/check-question.ts";
import * as z from "zod";
import { defineEndpoint } from "#app/api/endpoint.server.ts";
import { NameInput } from "#app/api/inputs.ts";
import { DeedError } from "#app/core/errors.server.ts";
import { addressKey } from "#app/http/limits.server.ts";
import { type EventStream, eventStream, formatEvent } from "#app/http/sse.server.ts";
import { recordQuery, toCheck } from "./checks.server.ts";
import { RECORD_TYPES } from "./pasted-record.ts";
import { RecordCheck } from "./resources.ts";

/** Leaves out times, and sentences that contain times. */
const comparableText = ({ checkedAt: _, wait, cause, fix, ...rest }: RecordCheck) =>
  JSON.stringify({ ...rest, ...(wait ? { wait: wait.reason } : { cause, fix }) });

export const checkRecord = defineEndpoint("POST /api/checks", {
  group: "Zones",
  summary: "Say why a record is not found",
  description:
    "Public, for any TXT or CNAME record. Writes nothing. A name is read at most once in ten seconds, and all callers in that time get the same answer. With `Accept: text/event-stream` the answer is a stream of unnamed events: what is known now, then each change, for ten minutes or until the record is found. A client can have one such stream; opening another ends it. A failure is an HTTP status with an error body, never an event.",
  session: false,
  byKey: "ignored",
  body: z.strictObject({
    name: NameInput.describe("The full host of the record"),
    type: z.enum(RECORD_TYPES).default("TXT"),
    value: z.string().min(1).max(MAX_VALUE).describe("For a CNAME its target"),
  }),
  response: { 200: RecordCheck },
  errors: ["invalid_domain", "unresolvable", "rate_limited"],
  budget: "zones",
  async handler({ app, body, connection, request, headers }) {
    const query = recordQuery(body);
    const client = addressKey(connection.address);
    const check = await app.checks.read(query, client, connection.closed);
    const firstAnswer = toCheck(check, app.clock());
    if (firstAnswer === null) throw new DeedError("unresolvable");
    if (!request.headers.get("Accept")?.startsWith("text/event-stream")) return firstAnswer;
    headers.set("Content-Type", "text/event-stream; charset=utf-8");
    headers.set("Cache-Control", "no-cache, no-transform");
    let stream: EventStream | undefined;
    let lastText = comparableText(firstAnswer);
    const sendIfChanged = (check: Check) => {
      const answer = toCheck(check, app.clock());
      if (answer === null || comparableText(answer) === lastText) return;
      lastText = comparableText(answer);
      stream?.send(formatEvent({ data: answer }));
    };
    const end = app.checks.follow(query, client, sendIfChanged, () => stream?.close());
    app.closing.addEventListener("abort", end);
    const onEnd = () => {
      app.closing.removeEventListener("abort", end);
      end();
    };
    const start = (eventSink: EventStream) => {
      stream = eventSink;
      // If others already follow this record, only changes will come, so send the current state first.
      stream.send(formatEvent({ data: firstAnswer }));
      return { onEnd, onBeat: () => {}, onRoom: () => {} };
    };
    return eventStream(connection, start) as never;
  },
});
