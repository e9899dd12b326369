import { describe, expect, it } from "vitest";
import type * as z from "zod";
import { ERRORS, type ErrorCode } from "#app/core/errors.server.ts";
import { AccountEvent } from "#app/core/resources.ts";
import { ENDPOINTS } from "#app/endpoints.server.ts";
import { MESSAGES } from "#app/features/webhooks/messages.server.ts";
import { FEED_TYPES } from "#db/schema.ts";
import recorded from "./examples.json";
import { examplesAt, exchangeBlocks } from "./examples.server.ts";

const ADDRESSES = { baseUrl: "https://proofs.acme.com", docsUrl: "https://docs.acme.com/deed" };
const examples = examplesAt(ADDRESSES);
const codes = Object.keys(ERRORS) as ErrorCode[];

/** Only two calls at once cause these: for them the page shows the error as other operations give it. */
const RACES = ["proveDomain domain_not_found", "proveDomain claim_ended"];

/** Whether the schema accepts an answer of an operation. */
const takes = (content: unknown, body: unknown) =>
  content && typeof content === "object" && "safeParse" in content
    ? (content as z.ZodType).safeParse(body).error?.issues
    : undefined;

describe("the examples", () => {
  it.each(ENDPOINTS)("of $operationId are an answer and each of its own errors", (endpoint) => {
    const { operationId, method, path, response, errors, body } = endpoint;
    const example = examples.operations[operationId];
    expect(example?.request.method).toBe(method);
    const place = new RegExp(`^${path.replace(/:\w+/g, "[^/?]+")}(?:[?]|$)`);
    expect(example?.request.path).toMatch(place);
    expect(Object.keys(response)).toContain(String(example?.status));
    const own = errors.filter((code) => !RACES.includes(`${operationId} ${code}`));
    expect(Object.keys(example?.errors ?? {})).toEqual(expect.arrayContaining(own));
    for (const code of own) expect(example?.errors[code]).toMatchObject({ error: { code } });
    expect(takes(response[example?.status ?? 0], example?.body)).toBeUndefined();
    if (body) expect(takes(body, example?.request.body)).toBeUndefined();
    // A quote here would end the body in a shell.
    for (const { text } of exchangeBlocks(example)) expect(text).not.toMatch(/-d '[^']*'[^\s]/);
  });

  it("have an exchange that ended in each error", () => {
    for (const code of codes) {
      const error = { code, docsUrl: `${ADDRESSES.docsUrl}/errors#${code}` };
      expect(examples.errors[code]).toMatchObject({ status: ERRORS[code][0], body: { error } });
    }
  });

  it("have each event and each message", () => {
    for (const type of FEED_TYPES) {
      expect(examples.events[type]).toMatchObject({ type });
      expect(takes(AccountEvent, examples.events[type])).toBeUndefined();
    }
    for (const [type, schema] of Object.entries(MESSAGES))
      expect([type, takes(schema, examples.messages[type])]).toEqual([type, undefined]);
  });

  it("hold the addresses of this installation, no other, and no secret that works", () => {
    expect(JSON.stringify(examples)).not.toContain("deed.example.org");
    const text = JSON.stringify(recorded);
    expect(text).not.toMatch(/localhost|127\.0\.0/);
    const secrets = text.match(/deed_(?:key|test)_\w+|whsec_[\w+/]+/g) ?? [];
    expect(secrets.length).toBeGreaterThan(3);
    expect(secrets.filter((secret) => !/x{39,}$/.test(secret))).toEqual([]);
  });
});
