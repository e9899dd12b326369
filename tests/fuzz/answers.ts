import { ERRORS } from "#app/core/errors.server.ts";
import { type Description, type Operation, pathOf, type Schema } from "./description.ts";
import type { Received, Sent } from "./wire.ts";

/** The contract's 5xx: DNS unreachable, and service unavailable. */
const DOCUMENTED_FAILURES = new Set([502, 503]);
const NEEDS_RETRY_AFTER = new Set([429, 503]);
const MEMBERS = ["code", "message", "docsUrl"];

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

type Envelope = { error: { code: keyof typeof ERRORS; message: string; docsUrl: string } };

function envelopeFaults({ status, headers, body }: Received): string[] {
  const { error, ...others } = (parsed(body) ?? {}) as Partial<Envelope>;
  if (typeof error !== "object" || error === null) return ["no error envelope"];
  const faults = Object.keys(others).map((name) => `${name} stands beside error`);
  const more = { already_claimed: ["claim"], invalid_request: ["param"] } as Record<
    string,
    string[]
  >;
  const expected = [...MEMBERS, ...(more[error.code] ?? [])];
  if (Object.keys(error).sort().join() !== expected.sort().join())
    faults.push(`the error has ${Object.keys(error).join(", ")}`);
  if (ERRORS[error.code]?.[0] !== status) faults.push(`${error.code} came with ${status}`);
  if (!/\S/.test(error.message ?? "")) faults.push("no message");
  if (/[\p{Cc}\p{Cf}]/u.test(error.message ?? "")) faults.push("control characters in the message");
  if (!error.docsUrl?.endsWith(`/errors#${error.code}`)) faults.push(`docsUrl ${error.docsUrl}`);
  if (headers["content-type"] !== "application/json; charset=utf-8")
    faults.push(`an error of type ${headers["content-type"]}`);
  if (!headers["cache-control"]?.includes("no-store")) faults.push("an error that may be kept");
  if (NEEDS_RETRY_AFTER.has(status) && !/^[1-9]\d*$/.test(headers["retry-after"] ?? ""))
    faults.push(`Retry-After ${headers["retry-after"]}`);
  return faults;
}

const codeOf = (received: Received) => (parsed(received.body) as Partial<Envelope>)?.error?.code;

/** Checks the events of a stream against their schemas. If the client left early, the last event may be incomplete. */
function streamFaults(
  description: Description,
  events: Record<string, Schema>,
  { body, isOpen }: Received,
): string[] {
  const blocks = body.split("\n\n");
  if (!isOpen && blocks.at(-1) !== "") return ["a stream that ends within a frame"];
  return blocks.slice(0, -1).flatMap((block) => {
    if (block.startsWith(":") || /^id: .*$/.test(block)) return [];
    const event = /^event: (.+)$/m.exec(block)?.[1] ?? "message";
    const schema = events[event];
    if (!schema) return [`an event ${event}, undescribed`];
    return description.judge.faults(schema, parsed(/^data: (.+)$/m.exec(block)?.[1] ?? ""), event);
  });
}

function described(
  description: Description,
  operation: Operation,
  { method }: Sent,
  received: Received,
): string[] {
  const { status, headers, body } = received;
  const response = operation.responses[status];
  if (!response) return [`${status} ${codeOf(received) ?? ""} is not described`];
  const faults = Object.entries(response.headers ?? {})
    .filter(([name, { required }]) => required && headers[name.toLowerCase()] === undefined)
    .map(([name]) => `no ${name}`);
  const [type, content] = Object.entries(response.content ?? {})[0] ?? [];
  if (method === "HEAD" || !type || !content) {
    if (body !== "") faults.push(`a body of ${body.length} characters`);
  } else if (content["x-events"]) {
    faults.push(...streamFaults(description, content["x-events"], received));
  } else {
    faults.push(...description.judge.faults(content.schema, parsed(body)));
  }
  const sent = headers["content-type"]?.split(";")[0];
  if (sent !== type) faults.push(`Content-Type ${sent} for ${type}`);
  if (status >= 400 && method !== "HEAD" && !operation.path.startsWith("/api/health"))
    faults.push(...envelopeFaults(received));
  return faults;
}

function elsewhere(sent: Sent, received: Received, methods: string[] | null): string[] {
  const { status, headers, body } = received;
  if (methods && sent.method === "OPTIONS")
    return status === 204 && body === "" && headers.allow === methods.join(", ")
      ? []
      : [`OPTIONS answers ${status}, Allow ${headers.allow}`];
  const code = methods ? "method_not_allowed" : "not_found";
  if (status !== ERRORS[code][0]) return [`${status} where ${code} was due`];
  const faults: string[] = [];
  if (methods && headers.allow !== methods.join(", ")) faults.push(`Allow ${headers.allow}`);
  if (sent.method === "HEAD") return faults;
  if (codeOf(received) !== code) faults.push(`${codeOf(received)} where ${code} was due`);
  return [...faults, ...envelopeFaults(received)];
}

/** The operation a response is checked against; null if the description lacks the path or the method. */
export const operationOf = (description: Description, { method, target }: Sent) =>
  description.destination(method, target)?.operation ?? null;

export function faultsOf(description: Description, sent: Sent, received: Received): string[] {
  const { status, headers } = received;
  const faults: string[] = [];
  if (status >= 500 && !DOCUMENTED_FAILURES.has(status)) faults.push(`failed with ${status}`);
  if (headers["x-content-type-options"] !== "nosniff") faults.push("no nosniff");
  // A path that leaves the API through dot segments is answered by a page.
  if (!/^\/api(\/|$)/.test(pathOf(sent.target))) return faults;
  const destination = description.destination(sent.method, sent.target);
  const operation = destination?.operation;
  return operation
    ? [...faults, ...described(description, operation, sent, received)]
    : [...faults, ...elsewhere(sent, received, destination?.methods ?? null)];
}
